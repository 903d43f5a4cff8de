// Instants as people read them. One rule: the zone is that of the sources a run searched, whatever the browser's is.
// `when.js` adds UTC to it, for those who point at it.
import { currentLanguage } from "./say.js";

export const UTC = "UTC";
const OPTIONS = {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
  hourCycle: "h23", timeZoneName: "longOffset",
};
const formats = new Map();

/** The format of a zone; that of UTC for a name this browser does not know. */
function formatOf(zone) {
  if (!formats.has(zone)) {
    try {
      formats.set(zone, new Intl.DateTimeFormat("en-GB", { ...OPTIONS, timeZone: zone }));
    } catch {
      formats.set(zone, new Intl.DateTimeFormat("en-GB", { ...OPTIONS, timeZone: UTC }));
    }
  }
  return formats.get(zone);
}

function parts(instant, zone) {
  return Object.fromEntries(formatOf(zone).formatToParts(instant).map((part) => [part.type, part.value]));
}

const dateOf = (told) => `${told.year}-${told.month}-${told.day}`;
const clockOf = (told) => `${told.hour}:${told.minute}${told.second === "00" ? "" : `:${told.second}`}`;
const offsetOf = (told) => (told.timeZoneName ?? "").replace("GMT", "") || "+00:00";

function valid(value) {
  const instant = new Date(value);
  return value && !Number.isNaN(instant.getTime()) ? instant : null;
}

/** `2026-02-04 14:05–14:43:44 +08:00`; empty if an end is missing. */
export function span(start, end, zone) {
  const [from, to] = [valid(start), valid(end)];
  if (!from || !to) return "";
  const [a, b] = [parts(from, zone), parts(to, zone)];
  const second = dateOf(a) === dateOf(b) ? clockOf(b) : ` ${dateOf(b)} ${clockOf(b)}`;
  return `${dateOf(a)} ${clockOf(a)}–${second} ${offsetOf(b)}`;
}

/** `2026-02-04 14:05:10 +08:00`; the text as it came if it is no instant. */
export function moment(value, zone) {
  const instant = valid(value);
  if (!instant) return String(value ?? "");
  const told = parts(instant, zone);
  return `${dateOf(told)} ${told.hour}:${told.minute}:${told.second} ${offsetOf(told)}`;
}

/** `14:05:10`, for a column of instants whose zone is named once. */
export function clock(value, zone) {
  const instant = valid(value);
  if (!instant) return "";
  const told = parts(instant, zone);
  return `${told.hour}:${told.minute}:${told.second}`;
}

/** `Asia/Singapore (+08:00)`, with the offset of that instant. */
export function zoneText(zone, at = Date.now()) {
  const offset = offsetOf(parts(valid(at) ?? new Date(), zone));
  return zone === UTC ? UTC : `${zone} (${offset})`;
}

/** `2026-02-04 06:05:10 UTC`; empty if it is no instant. */
export function inUtc(value) {
  return valid(value) ? moment(value, UTC).replace("+00:00", UTC) : "";
}

/** The same for a span. */
export function spanInUtc(start, end) {
  return span(start, end, UTC).replace("+00:00", UTC);
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
