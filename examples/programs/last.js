// A program in JavaScript that plays any game: it takes the last legal move.
//
// polytrix arena quatrix random "process:node examples/programs/last.js"

const readline = require("node:readline");

function answer(message) {
  if (message.type === "hello") {
    console.error(`I play ${message.game} in seat ${message.seat}`);
    return { protocol: 1, name: "last", observation: false };
  }
  if (message.type === "choose") {
    const legal = message.legal;
    return { move: legal[legal.length - 1].move, why: `the last of ${legal.length}` };
  }
  return null; // observe, over
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const said = answer(JSON.parse(line));
  if (said !== null) {
    process.stdout.write(JSON.stringify(said) + "\n");
  }
});
