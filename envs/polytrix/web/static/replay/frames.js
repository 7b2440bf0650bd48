// Boards and texts of a replay, put together from pieces that are stored once.

const PLACE = "<rect data-place="; // an invisible shape that names a place

/** The board of a view at a position, as SVG; shapes that the board of position `before` lacks are marked. */
export function board(replay, view, position, before) {
  const pieces = replay.boards[view.boards[position]];
  const had = new Map();
  for (const piece of replay.boards[view.boards[before]]) had.set(piece, (had.get(piece) ?? 0) + 1);
  const parts = pieces.map((piece, place) => {
    const left = had.get(piece) ?? 0;
    had.set(piece, left - 1);
    const isShape = place > 0 && place < pieces.length - 1 && !replay.pieces[piece].startsWith(PLACE);
    return isShape && left < 1 ? `<g class="changed">${replay.pieces[piece]}</g>` : replay.pieces[piece];
  });
  return parts.join("");
}

/** The position as text. */
export function text(replay, view, position) {
  return replay.texts[view.texts[position]].map((line) => replay.pieces[line]).join("\n");
}
