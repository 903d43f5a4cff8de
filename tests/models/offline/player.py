"""Plays the harness for one case: hand-made logs, rows and documents behind the protocol's messages."""

import json
import re
from dataclasses import dataclass, field
from zlib import crc32

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from models.offline import OfflineReasoner, Role

Json = dict


def log(ts, service, level, text):
    return {"ts": ts, "service": service, "level": level, "message": text}


@dataclass
class Table:
    """Rows of one table; ``time`` is the column to filter by."""

    columns: dict[str, str]
    rows: list[dict]
    time: str


@dataclass
class World:
    logs: list[dict] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    docs: list[tuple[str, str, str]] = field(default_factory=list)
    """(item id, breadcrumb, text)"""
    now: str = "2026-03-04T11:00:00+00:00"

    def tools(self):
        services = sorted({entry["service"] for entry in self.logs})
        tables = "\n".join(
            f"- {name}({', '.join(f'{c} {t}' for c, t in table.columns.items())})"
            for name, table in self.tables.items()
        )
        return [
            _tool(
                "query_logs",
                f"Search logs.\nsource app: services {', '.join(services)}; levels INFO, WARN, ERROR",
                {
                    "source": {"type": "string", "enum": ["app"]},
                    "service": _opt(),
                    "level": _opt(),
                    "contains": _opt(),
                    "start": _opt(),
                    "end": _opt(),
                    "limit": {"type": "integer"},
                },
                ["source"],
            ),
            _tool(
                "query_sql",
                f"Read-only SQL.\ndatasource ops (sqlite)\n{tables}",
                {
                    "datasource": {"type": "string", "enum": ["ops"]},
                    "sql": {"type": "string"},
                    "params": {"type": "array"},
                },
                ["datasource", "sql"],
            ),
            _tool("lookup_knowledge", "Search runbooks.", {"query": {"type": "string"}, "category": _opt()}, ["query"]),
            _tool("submit_diagnosis", "Hand in.", {}, []),
        ]


def _opt():
    return {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}


def _tool(name, description, inputs, required):
    inner = {"type": "object", "properties": inputs, "required": required}
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {"previous_observation": {}, "input": inner},
                "required": ["previous_observation", "input"],
            },
        },
    }


@dataclass
class Played:
    """A finished case."""

    draft: Json
    calls: list[tuple[str, Json]]
    gains: list[str]
    messages: list[BaseMessage]
    stopped: bool

    @property
    def conclusion(self):
        return self.draft["conclusion"]

    @property
    def text(self):
        return (self.conclusion or {}).get("text", "")


class Player:
    """Answers the model's calls as the harness would, and refuses every breach of the protocol loudly."""

    def __init__(self, world: World, question: str, *, language="en", window=None, limit=12):
        self.world, self.limit = world, limit
        user = {
            "question": question,
            "language": language,
            "now": world.now,
            "time_zone": "UTC",
            "window": window,
            "follow_up_of": None,
            "previous_turn": None,
        }
        self.messages: list[BaseMessage] = [SystemMessage("rules"), HumanMessage(json.dumps(user, ensure_ascii=False))]
        self.records: list[Json] = []
        self.gains: dict[str, str] = {}
        self.seen: set[str] = set()
        self.tools_answered: set[str] = set()
        self.no_gain = 0
        self.stopped = False

    def play(self) -> Played:
        model = OfflineReasoner(role=Role.AGENT)
        calls: list[tuple[str, Json]] = []
        for _ in range(30):
            tools = self.world.tools()[-1:] if self.stopped else self.world.tools()
            reply = model.invoke(self._prompt(), tools=tools)
            assert len(reply.tool_calls) == 1
            call = reply.tool_calls[0]
            if call["name"] == "submit_diagnosis":
                return Played(call["args"], calls, list(self.gains.values()), self.messages, self.stopped)
            assert not self.stopped, "asked for evidence after STOP_REQUIRED"
            calls.append((call["name"], call["args"]["input"]))
            self._assess(call["args"])
            self._answer(reply, call)
        raise AssertionError("never handed in")

    def _assess(self, args):
        assert set(args) == {"previous_observation", "input"}
        due = self.records[-1] if self.records and self.records[-1]["evidence_status"] == "EVIDENCE_FOUND" else None
        due = None if due is not None and "judged" in due else due
        given = args["previous_observation"]
        if due is None:
            return
        assert given and given["tool_call_id"] == due["tool_call_id"], "assessment missing"
        assert given["information_gain"] in {"GAINED", "NO_GAIN"}
        self.gains[due["tool_call_id"]] = given["information_gain"]
        self.no_gain = 0 if given["information_gain"] == "GAINED" else self.no_gain + 1

    def _answer(self, reply: AIMessage, call):
        must_stop = self.no_gain >= 2 and len(self.tools_answered) >= 2 or len(self.records) >= self.limit
        if must_stop:
            self.stopped = True
            body = {
                "stop_required": True,
                "reason": "INFORMATION_SATURATED",
                "checked_scopes": [],
                "instruction": "Submit.",
            }
        else:
            body = self._observe(call)
            if body["evidence_status"] == "NO_EVIDENCE" or "judged" in body:
                self.no_gain += 1
            if self.no_gain >= 2 and len(self.tools_answered) >= 2:
                self.stopped = True
                body = {
                    "stop_required": True,
                    "reason": "INFORMATION_SATURATED",
                    "checked_scopes": [],
                    "instruction": "Submit.",
                    "observation": body,
                }
        self.messages += [reply, ToolMessage(json.dumps(body, ensure_ascii=False), tool_call_id=call["id"])]

    def _observe(self, call):
        scope, items, total = getattr(self, "_" + call["name"])(call["args"]["input"])
        body = {
            "tool_call_id": call["id"],
            "tool": call["name"],
            "scope": scope,
            "coverage": "COMPLETE",
            "evidence_status": "EVIDENCE_FOUND" if items else "NO_EVIDENCE",
            "truncated": total > len(items),
            "total_matches": total,
            "items": items,
        }
        ids = {item["item_id"] for item in items}
        if ids and ids <= self.seen:
            body["judged"] = "NO_NEW_ITEMS"
        self.seen |= ids
        self.records.append(body)
        self.tools_answered.add(call["name"])
        return body

    def _query_logs(self, args):
        rank = ["DEBUG", "INFO", "WARN", "ERROR"]
        lowest = rank.index(args.get("level", "DEBUG"))
        found = [
            entry
            for entry in sorted(self.world.logs, key=lambda entry: entry["ts"])
            if rank.index(entry["level"]) >= lowest
            and args.get("service", entry["service"]) == entry["service"]
            and args.get("contains", "").lower() in entry["message"].lower()
        ]
        items = [
            {
                "item_id": f"log:app:{e['ts']}:{crc32(e['message'].encode()):08x}",
                "kind": "TELEMETRY",
                "text": e["message"],
                "fields": {"ts": e["ts"], "service": e["service"], "level": e["level"]},
            }
            for e in found[:12]
        ]
        filters = {k: v for k, v in args.items() if k in {"service", "level", "contains"}}
        return (
            {
                "source": "app",
                "window": {"start": "2026-03-04T09:00:00+00:00", "end": self.world.now},
                "filters": filters,
                "query": None,
            },
            items,
            len(found),
        )

    def _query_sql(self, args):
        match = re.fullmatch(
            r"SELECT ([\w, ]+) FROM (\w+)(?: WHERE (\w+) <= \?)? ORDER BY (\w+) DESC LIMIT \d+", args["sql"]
        )
        assert match, args["sql"]
        table = self.world.tables[match.group(2)]
        columns = [c.strip() for c in match.group(1).split(",")]
        assert set(columns) <= set(table.columns)
        bound = args.get("params", [""])[0]
        rows = [row for row in table.rows if not bound or row[table.time] <= bound]
        rows.sort(key=lambda row: row[table.time], reverse=True)
        items = [
            {
                "item_id": f"row:{match.group(2)}:{row.get('id', n)}",
                "kind": "TELEMETRY",
                "text": ", ".join(f"{c}={row[c]}" for c in columns),
                "fields": {c: row[c] for c in columns},
            }
            for n, row in enumerate(rows[:20])
        ]
        return {"source": "ops", "window": None, "filters": {}, "query": args["sql"]}, items, len(items)

    def _lookup_knowledge(self, args):
        assert len(args["query"]) <= 500
        words = set(re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", args["query"].lower()))
        scored = sorted(
            self.world.docs,
            key=lambda doc: -len(words & set(re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", (doc[1] + doc[2]).lower()))),
        )
        items = [
            {
                "item_id": i,
                "kind": "KNOWLEDGE",
                "text": text,
                "fields": {"title": crumb.split(" > ")[-1], "breadcrumb": crumb},
            }
            for i, crumb, text in scored[:5]
        ]
        return {"source": "kb", "window": None, "filters": {}, "query": args["query"]}, items, len(items)

    def _prompt(self):
        """Earlier observations shortened as the harness does it; restored once collection has stopped."""
        shown: list[BaseMessage] = []
        for at, message in enumerate(self.messages):
            is_last = at == len(self.messages) - 1
            shown.append(
                message if is_last or self.stopped or not isinstance(message, ToolMessage) else self._shortened(message)
            )
        return shown

    def _shortened(self, message: ToolMessage) -> ToolMessage:
        body = json.loads(str(message.content))
        if body.get("evidence_status") != "EVIDENCE_FOUND":
            return message
        kept, used = [], 0
        for item in body["items"] if self.gains.get(body["tool_call_id"]) == "GAINED" else []:
            used += len(json.dumps(item))
            if kept and used > 2048:
                break
            kept.append(item)
        body = (
            {**body, "items": kept, "shortened": True}
            if kept
            else {k: v for k, v in body.items() if k != "items"} | {"shortened": True}
        )
        return ToolMessage(json.dumps(body, ensure_ascii=False), tool_call_id=message.tool_call_id)
