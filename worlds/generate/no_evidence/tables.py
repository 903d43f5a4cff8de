"""The database of the no-evidence family: requests, changes, job runs, support tickets."""

from datetime import timedelta

from worlds.generate.change_tables import Setting, deployments_table, rollout_of, settings_table
from worlds.generate.dice import dice_for, draw_word
from worlds.generate.model import Table
from worlds.generate.no_evidence.entries import Entry
from worlds.generate.no_evidence.plan import QuietPlan
from worlds.generate.stamps import iso_seconds
from worlds.generate.timeline import every


def build_tables(plan: QuietPlan, entries: tuple[Entry, ...]) -> tuple[Table, ...]:
    """Return the five tables of the database."""
    return _entries(plan, entries), *_changes(plan), _jobs(plan), _tickets(plan)


def _entries(plan: QuietPlan, entries: tuple[Entry, ...]) -> Table:
    columns = (
        ("entry_id", "INTEGER"),
        ("created_at", "TEXT"),
        ("status", "TEXT"),
        ("took_ms", "INTEGER"),
        ("trace_id", "TEXT"),
    )
    rows = tuple(
        (
            one.number,
            iso_seconds(one.hit.at),
            "INVALID_INPUT" if one.is_rejected else "DONE",
            int(one.hit.took_s * 1000),
            one.trace,
        )
        for one in entries
    )
    return Table(plan.matter.table, columns, rows)


def _changes(plan: QuietPlan) -> tuple[Table, Table]:
    dice = dice_for(plan.seed, "no-evidence", "changes")
    rollout = rollout_of(plan.prices, "src/main/java/offers/SeasonCalendar.java")
    earlier = plan.times.onset_at - timedelta(minutes=71)
    setting = Setting(plan.finder.name, "search.synonyms", "v11", "v12", earlier)
    names = tuple(service.name for service in plan.services)
    return (
        deployments_table("deployments", dice, plan.times, plan.services, (rollout,)),
        settings_table("config_changes", dice, plan.times, names, (setting,)),
    )


def _jobs(plan: QuietPlan) -> Table:
    columns = (
        ("run_id", "INTEGER"),
        ("job", "TEXT"),
        ("started_at", "TEXT"),
        ("took_s", "INTEGER"),
        ("exit_code", "INTEGER"),
    )
    dice = dice_for(plan.seed, "no-evidence", "jobs")
    jobs = ("sitemap", "newsletter-segments", "price-feed", "session-cleanup")
    instants = every(plan.times.begin_at, plan.times.now_at, step_s=90)
    rows = tuple(
        (rank, draw_word(dice, jobs), iso_seconds(at), dice.randrange(4, 58), 0) for rank, at in enumerate(instants, 1)
    )
    return Table("job_runs", columns, rows)


def _tickets(plan: QuietPlan) -> Table:
    columns = (
        ("ticket_id", "INTEGER"),
        ("opened_at", "TEXT"),
        ("channel", "TEXT"),
        ("subject", "TEXT"),
    )
    dice = dice_for(plan.seed, "no-evidence", "tickets")
    noun = plan.matter.noun
    subjects = (f"Question about {noun}", f"Asked how {noun} are billed", "Wants a copy of a bill")
    rows = [
        (880 + rank, iso_seconds(at), draw_word(dice, ("mail", "phone", "chat")), draw_word(dice, subjects))
        for rank, at in enumerate(every(plan.times.begin_at, plan.times.now_at, step_s=410))
    ]
    for rank in range(dice.randrange(3, 6)):
        at = plan.times.onset_at + timedelta(minutes=4 + 5 * rank)
        text = f"Says that {noun} did not go through"
        rows.append((990 + rank, iso_seconds(at), "phone", text))
    return Table("support_tickets", columns, tuple(rows))
