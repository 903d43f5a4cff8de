// Server-sent events out of a byte stream. `EventSource` cannot send a key, so the stream is read with fetch.

/** The complete frames of the text so far, and what is left of an incomplete one. Pure. */
export function readFrames(text) {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop();
  return { frames: blocks.map(readFrame).filter(Boolean), rest };
}

function readFrame(block) {
  const frame = { id: null, event: "message", data: [] };
  for (const line of block.split("\n")) {
    if (!line || line.startsWith(":")) continue;
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === "data") frame.data.push(value);
    else if (name === "id" || name === "event") frame[name] = value;
  }
  return frame.data.length ? { id: frame.id, type: frame.event, payload: parsed(frame.data.join("\n")) } : null;
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

/** Every frame of the response as it arrives. Throws what the network throws. */
export async function* framesOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const read = readFrames(text + value);
      text = read.rest;
      yield* read.frames;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
