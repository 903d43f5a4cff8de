"""Hosts: kernel and daemon records in syslog form, JVM unified GC log."""

from datetime import datetime, timedelta

from worlds.generate.dice import Dice, arrivals, draw_word
from worlds.generate.model import Line
from worlds.generate.stamps import gc_stamp, syslog_stamp
from worlds.generate.timeline import Timeline


def syslog(at: datetime, host: str, program: str, text: str) -> Line:
    """Return one rsyslog record in its RFC 3339 file format."""
    return Line(at, f"{syslog_stamp(at)} {host} {program}: {text}")


def kernel(at: datetime, host: str, text: str) -> Line:
    """Return one kernel record; its uptime counts from the start of 2026."""
    uptime_s = (at - datetime(2026, 1, 1, tzinfo=at.tzinfo)).total_seconds()
    return syslog(at, host, "kernel", f"[{uptime_s:.6f}] {text}")


def everyday_kernel(dice: Dice, times: Timeline, hosts: tuple[str, ...]) -> list[Line]:
    """Return the records any busy host writes, at a steady rate."""
    return [
        kernel(at, draw_word(dice, hosts), _kernel_text(dice))
        for at in arrivals(dice, times.begin_at, times.now_at, per_hour=24)
    ]


def _kernel_text(dice: Dice) -> str:
    took = dice.randrange(2505, 5200)
    return draw_word(
        dice,
        (
            "TCP: request_sock_TCP: Possible SYN flooding on port 8443. Sending cookies.",
            f"perf: interrupt took too long ({took} > 2500), "
            f"lowering kernel.perf_event_max_sample_rate to {dice.randrange(20, 79) * 1000}",
            f"eth0: renamed from veth{dice.getrandbits(28):07x}",
            f"cni0: port {dice.randrange(2, 40)}(veth{dice.getrandbits(28):07x}) entered forwarding state",
            f"IPv4: martian source 10.42.{dice.randrange(256)}.1 from 169.254.20.10, on dev eth0",
        ),
    )


def everyday_daemons(dice: Dice, times: Timeline, hosts: tuple[str, ...]) -> list[Line]:
    """Return records of timers, time synchronisation and node monitors, at a steady rate."""
    lines: list[Line] = []
    for at in arrivals(dice, times.begin_at, times.now_at, per_hour=20):
        program, text = _daemon_text(dice)
        lines.append(syslog(at, draw_word(dice, hosts), program, text))
    return lines


def _daemon_text(dice: Dice) -> tuple[str, str]:
    used = dice.randrange(71, 79)
    options = (
        ("systemd[1]", "logrotate.service: Deactivated successfully."),
        ("systemd[1]", "Started Daily man-db regeneration."),
        ("chronyd[812]", f"Selected source 10.0.{dice.randrange(4)}.123 (ntp.internal)"),
        ("smartd[640]", "Device: /dev/nvme0, Temperature changed +2 Celsius to 41 Celsius"),
        ("node-watch[977]", f"WARNING disk usage of /var/lib/containers at {used}%"),
        ("dhclient[701]", f"DHCPREQUEST for 10.0.{dice.randrange(4)}.31 on eth0 to 10.0.0.1"),
    )
    return options[dice.randrange(len(options))]


def young_pauses(dice: Dice, times: Timeline) -> list[Line]:
    """Return the ordinary young collections of one JVM in unified logging format."""
    lines: list[Line] = []
    at = times.begin_at + timedelta(seconds=dice.randrange(40))
    number = dice.randrange(200, 4000)
    while at < times.now_at:
        before, after = dice.randrange(612, 860), dice.randrange(180, 320)
        lines.append(
            Line(
                at,
                f"[{gc_stamp(at)}][info][gc] GC({number}) Pause Young (Normal) "
                f"(G1 Evacuation Pause) {before}M->{after}M(1024M) {dice.uniform(4, 31):.3f}ms",
            )
        )
        number += 1
        at += timedelta(seconds=dice.uniform(45, 110))
    return lines
