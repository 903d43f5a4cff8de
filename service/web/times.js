// Instants and spans as people read them, always with the offset of the zone they are shown in.
import { currentLanguage } from "./say.js";

function parts(instant, zone) {
  const options = {
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
    hourCycle: "h23", timeZoneName: "longOffset",
  };
  const format = new Intl.DateTimeFormat("en-GB", zone ? { ...options, timeZone: zone } : options);
  return Object.fromEntries(format.formatToParts(instant).map((part) => [part.type, part.value]));
}

const dateOf = (told) => `${told.year}-${told.month}-${told.day}`;
const clockOf = (told) => `${told.hour}:${told.minute}${told.second === "00" ? "" : `:${told.second}`}`;
const offsetOf = (told) => (told.timeZoneName ?? "").replace("GMT", "") || "+00:00";

function valid(value) {
  const instant = new Date(value);
  return value && !Number.isNaN(instant.getTime()) ? instant : null;
}

/** `2026-02-04 14:05–14:43:44 +08:00`; empty if an end is missing. */
export function span(start, end, zone = null) {
  const [from, to] = [valid(start), valid(end)];
  if (!from || !to) return "";
  const [a, b] = [parts(from, zone), parts(to, zone)];
  const second = dateOf(a) === dateOf(b) ? clockOf(b) : ` ${dateOf(b)} ${clockOf(b)}`;
  return `${dateOf(a)} ${clockOf(a)}–${second} ${offsetOf(b)}`;
}

/** `2026-02-04 14:05:10 +08:00`; the text as it came if it is no instant. */
export function moment(value, zone = null) {
  const instant = valid(value);
  if (!instant) return String(value ?? "");
  const told = parts(instant, zone);
  return `${dateOf(told)} ${told.hour}:${told.minute}:${told.second} ${offsetOf(told)}`;
}

/** `14:05:10`, for a column of instants of one run. */
export function clock(value, zone = null) {
  const instant = valid(value);
  if (!instant) return "";
  const told = parts(instant, zone);
  return `${told.hour}:${told.minute}:${told.second}`;
}

/** `5 minutes ago`, in the page's language. */
export function ago(value, now = Date.now()) {
  const instant = valid(value);
  if (!instant) return "";
  const seconds = Math.round((instant.getTime() - now) / 1000);
  const steps = [["second", 1, 60], ["minute", 60, 3600], ["hour", 3600, 86400], ["day", 86400, Infinity]];
  const [unit, size] = steps.find(([, , below]) => Math.abs(seconds) < below);
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto" });
  return format.format(Math.round(seconds / size), unit);
}


/** The instant of a `datetime-local` field with this browser's offset at that time; null where it is empty. */
export function withOffset(local) {
  const instant = valid(local);
  return instant ? `${local.length === 16 ? `${local}:00` : local}${localOffset(instant)}` : null;
}

/** `+08:00`: this browser's offset at an instant. */
export function localOffset(instant = new Date()) {
  const minutes = -instant.getTimezoneOffset();
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** A number with separators. */
export function count(value) {
  return typeof value === "number" ? new Intl.NumberFormat(currentLanguage()).format(value) : "–";
}

/** Bytes in the largest unit that keeps at least one whole. */
export function size(bytes) {
  if (typeof bytes !== "number") return "–";
  const units = ["B", "KiB", "MiB", "GiB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step ? value.toFixed(1) : value} ${units[step]}`;
}
