// Places a directed graph in layers: cycles are turned, long edges get way points, rows are ordered to cross little. Pure.
export const [NODE_WIDTH, NODE_HEIGHT] = [132, 42];
const [WAY_WIDTH, GAP, ROW] = [12, 18, 76];
const SWEEPS = 12;

/** `{width, height, nodes: [{name, x, y, width, height}], edges: [{from, to, points}]}`; x and y are centres. */
export function layered(names, edges) {
  const simple = edges.filter((edge) => edge.from !== edge.to);
  const forward = turned(names, simple);
  const rank = ranks(names, forward);
  const { rows, chains, links } = withWays(names, forward, rank);
  order(rows, links);
  const x = places(rows, links);
  const y = (id) => 28 + rows.findIndex((row) => row.includes(id)) * ROW;
  const left = Math.min(...[...x].map(([id, at]) => at - widthOf(id) / 2));
  const at = (id) => ({ x: x.get(id) - left + 12, y: y(id) });
  const nodes = names.map((name) => ({ name, ...at(name), width: NODE_WIDTH, height: NODE_HEIGHT }));
  const drawn = chains.map(({ edge, ids }) => {
    const points = ids.map(at);
    return { from: edge.from, to: edge.to, points: edge.isTurned ? points.reverse() : points };
  });
  const loops = edges.filter((edge) => edge.from === edge.to).map((edge) => ({ ...edge, points: [at(edge.from)] }));
  const right = Math.max(...[...x].map(([id, centre]) => centre + widthOf(id) / 2)) - left + 24;
  return { width: right + (loops.length ? 18 : 0), height: 28 * 2 + (rows.length - 1) * ROW, nodes, edges: [...drawn, ...loops] };
}

const isWay = (id) => id.includes("\u0000");
const widthOf = (id) => (isWay(id) ? WAY_WIDTH : NODE_WIDTH);

/** The edges with those that close a cycle turned around. */
function turned(names, edges) {
  const state = new Map();
  const backward = new Set();
  const visit = (name) => {
    state.set(name, "open");
    for (const edge of edges.filter((one) => one.from === name)) {
      if (state.get(edge.to) === "open") backward.add(edge);
      else if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(name, "done");
  };
  for (const name of names) if (!state.has(name)) visit(name);
  return edges.map((edge) => ({ ...edge, isTurned: backward.has(edge), upper: backward.has(edge) ? edge.to : edge.from, lower: backward.has(edge) ? edge.from : edge.to }));
}

/** Longest path from a source, for each node. */
function ranks(names, edges) {
  const rank = new Map(names.map((name) => [name, 0]));
  for (let pass = 0; pass < names.length; pass += 1) {
    for (const { upper, lower } of edges) rank.set(lower, Math.max(rank.get(lower), rank.get(upper) + 1));
  }
  return rank;
}

function withWays(names, edges, rank) {
  const rows = Array.from({ length: Math.max(...rank.values()) + 1 }, () => []);
  for (const name of names) rows[rank.get(name)].push(name);
  const [chains, links] = [[], []];
  edges.forEach((edge, index) => {
    const ids = [edge.upper];
    for (let row = rank.get(edge.upper) + 1; row < rank.get(edge.lower); row += 1) {
      const way = `${index}\u0000${row}`;
      rows[row].push(way);
      ids.push(way);
    }
    ids.push(edge.lower);
    chains.push({ edge, ids });
    for (let step = 1; step < ids.length; step += 1) links.push([ids[step - 1], ids[step]]);
  });
  return { rows, chains, links };
}

/** Sorts each row by where its neighbours stand, down and up in turn. */
function order(rows, links) {
  const above = neighbours(links, 1, 0);
  const below = neighbours(links, 0, 1);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const walk = isDown ? rows.slice(1) : rows.slice(0, -1).reverse();
    for (const row of walk) {
      const index = rows.indexOf(row);
      const other = rows[isDown ? index - 1 : index + 1];
      const near = isDown ? above : below;
      const weight = new Map(row.map((id, place) => {
        const found = (near.get(id) ?? []).map((one) => other.indexOf(one)).filter((one) => one >= 0);
        return [id, found.length ? mean(found) / Math.max(other.length - 1, 1) : place / Math.max(row.length - 1, 1)];
      }));
      row.sort((a, b) => weight.get(a) - weight.get(b));
    }
  }
}

function neighbours(links, own, other) {
  const found = new Map();
  for (const link of links) found.set(link[own], [...(found.get(link[own]) ?? []), link[other]]);
  return found;
}

const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Centres of all nodes: near their neighbours, never over each other. */
function places(rows, links) {
  const x = new Map();
  for (const row of rows) {
    let edge = -row.reduce((sum, id) => sum + widthOf(id) + GAP, 0) / 2;
    for (const id of row) {
      x.set(id, edge + widthOf(id) / 2);
      edge += widthOf(id) + GAP;
    }
  }
  const [above, below] = [neighbours(links, 1, 0), neighbours(links, 0, 1)];
  for (let sweep = 0; sweep < SWEEPS * 3; sweep += 1) {
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const wish = row.map((id) => {
        const near = [...(above.get(id) ?? []), ...(below.get(id) ?? [])];
        return near.length ? mean(near.map((one) => x.get(one))) : x.get(id);
      });
      settle(row, wish).forEach((at, place) => x.set(row[place], at));
    }
  }
  return x;
}

/** The wished centres, pushed apart where they would touch: the mean of pushing right and pushing left. */
function settle(row, wish) {
  const apart = (a, b) => (widthOf(row[a]) + widthOf(row[b])) / 2 + GAP;
  const [rightward, leftward] = [[...wish], [...wish]];
  for (let place = 1; place < row.length; place += 1) rightward[place] = Math.max(rightward[place], rightward[place - 1] + apart(place - 1, place));
  for (let place = row.length - 2; place >= 0; place -= 1) leftward[place] = Math.min(leftward[place], leftward[place + 1] - apart(place, place + 1));
  return rightward.map((at, place) => (at + leftward[place]) / 2);
}
