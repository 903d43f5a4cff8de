// What a run published, read from the one object the service gives of it. Pure.

const DOCUMENT = "KNOWLEDGE";

/** The published evidence by call and item. */
export class Published {
  constructor(run) {
    this.records = run.evidence ?? [];
  }

  record(callId) {
    return this.records.find((one) => one.tool_call_id === callId) ?? null;
  }

  item(callId, itemId) {
    return this.record(callId)?.items.find((one) => one.item_id === itemId) ?? null;
  }

  /** True if it quotes documents and nothing else. */
  restsOnDocuments(analysis) {
    const kinds = analysis.quotes.map((quote) => this.item(quote.tool_call_id, quote.item_id)?.kind).filter(Boolean);
    return kinds.length > 0 && kinds.every((kind) => kind === DOCUMENT);
  }
}

/** What proves one analysis: every quote, every computed input, every search that found nothing. */
export function citesOf(analysis) {
  const cites = analysis.quotes.map((one) => ({ tool_call_id: one.tool_call_id, item_id: one.item_id, quote: one.text }));
  for (const derived of analysis.derived ?? []) {
    for (const input of derived.inputs) cites.push({ tool_call_id: input.tool_call_id, item_id: input.item_id, quote: null });
  }
  for (const call of analysis.tool_call_ids) {
    if (!cites.some((one) => one.tool_call_id === call)) cites.push({ tool_call_id: call, item_id: null, quote: null });
  }
  return cites;
}

/** The cites grouped by the call they rest on, in their order. */
export function byCall(cites) {
  const groups = new Map();
  for (const cite of cites) groups.set(cite.tool_call_id, [...(groups.get(cite.tool_call_id) ?? []), cite]);
  return [...groups];
}

/** Numbers of the analyses with these ids, ascending. */
export function numbersOf(ids, analyses) {
  return analyses.flatMap((one, index) => (ids.includes(one.analysis_id) ? [index + 1] : []));
}
