// The form of a table, made from the options that the game declares.

import { fill, make } from "./dom.js";

const OWN_FILE = "(your own file)";
const SEARCH = "search";
const NETWORK = "network";
const TO_WATCH = 0.7; // seconds before each move where only agents play

export class Form {
  /** start(form) sets up a table, sendNetwork(file) tells the agent that a file is; their errors are shown. */
  constructor(place, game, start, sendNetwork) {
    Object.assign(this, { place, game, start, sendNetwork, options: {}, data: {}, seats: [] });
    this.trouble = make("p", { className: "wrong", role: "alert", hidden: true });
    this.seatsPlace = make("fieldset");
    const players = game.options.find((option) => option.name === "players");
    const others = game.options.filter((option) => option !== players);
    fill(
      place,
      players ? make("fieldset", {}, this.option(players)) : null,
      this.seatsPlace,
      folded("Rules and options", ...this.variants(), ...others.map((option) => this.option(option)), ...game.data.map((file) => this.file(file))),
      folded("More", this.seed(), this.pace()),
      this.trouble,
      make("div", { className: "bar" }, make("button", { className: "main", type: "submit" }, "Start")),
    );
    place.onsubmit = (event) => {
      event.preventDefault();
      this.submit();
    };
    this.showSeats();
  }

  // -- options -------------------------------------------------------------------------------

  option(option) {
    this.options[option.name] = option.default;
    const set = (value) => {
      this.options[option.name] = value;
      if (option.name === "players") this.showSeats();
    };
    const id = `option-${option.name}`;
    const input = {
      flag: () => make("input", { type: "checkbox", checked: option.default, onchange: (event) => set(event.target.checked) }),
      integer: () =>
        make("input", { type: "number", min: option.low, max: option.high, step: 1, value: option.default, required: true, onchange: (event) => set(event.target.valueAsNumber) }),
      choice: () =>
        make("select", { onchange: (event) => set(option.values[event.target.selectedIndex]) }, ...option.values.map((value) => make("option", { selected: value === option.default }, String(value)))),
    }[option.kind]();
    input.id = id;
    return field(capitalised(option.name.replaceAll("_", " ")), id, [input], option.help);
  }

  variants() {
    const names = Object.keys(this.game.variants);
    if (!names.length) return [];
    const apply = (name) => {
      for (const [key, value] of Object.entries(this.game.variants[name])) {
        const input = this.place.querySelector(`#option-${key}, #data-${key}`);
        if (input.type === "checkbox") input.checked = value;
        else input.value = value;
        input.dispatchEvent(new Event("change"));
      }
    };
    const buttons = names.map((name) => make("button", { type: "button", className: "small", onclick: () => apply(name) }, name));
    return [field("Smaller games", null, buttons, "set all options for a small game")];
  }

  file(file) {
    const id = `data-${file.name}`;
    const upload = make("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": `Your ${file.name}` });
    const select = make("select", { id }, ...[...file.shipped, OWN_FILE].map((name) => make("option", {}, name)));
    select.addEventListener("change", () => {
      upload.hidden = select.value !== OWN_FILE;
      if (upload.hidden) this.data[file.name] = select.value;
      else delete this.data[file.name];
    });
    upload.addEventListener("change", async () => {
      try {
        this.data[file.name] = JSON.parse(await upload.files[0].text());
        this.tell("");
      } catch (error) {
        this.tell(`${upload.files[0]?.name} is not a JSON file: ${error.message}`);
      }
    });
    return field(capitalised(file.name), id, [select, upload], file.help);
  }

  seed() {
    const input = make("input", { id: "seed", inputMode: "numeric", pattern: "[0-9]{1,15}", placeholder: "a new one", title: "A whole number of at most 15 digits" });
    input.addEventListener("change", () => (this.seedValue = input.value ? Number(input.value) : null));
    return field("Seed", "seed", [input], "the same seed gives the same dice and cards, so a seed that you know can tell you what the others hide");
  }

  pace() {
    const input = make("input", { id: "pace", type: "number", min: 0, max: 10, step: 0.1, placeholder: "0" });
    input.addEventListener("change", () => (this.paceValue = input.value ? input.valueAsNumber : undefined));
    return field("Pause", "pace", [input], "seconds before each agent's move; longer where only agents play");
  }

  // -- seats ---------------------------------------------------------------------------------

  showSeats() {
    const count = this.options.players ?? this.game.counts[0];
    const usual = (seat) => ({ error: "", who: seat === 0 ? "you" : (this.game.agents.find(({ name }) => name === "greedy") ?? this.game.agents.at(-1)).name, detail: "" });
    this.seats = Array.from({ length: count }, (_, seat) => this.seats[seat] ?? usual(seat));
    fill(this.seatsPlace, make("legend", {}, "Who plays"), ...this.seats.map((seat, number) => this.seat(seat, number)));
  }

  seat(seat, number) {
    const id = `seat-${number}`;
    const who = [
      ["you", "You"],
      ["person", "Another person (by link)"],
      ...this.game.agents.map(({ name, help }) => [name, `${name}: ${help}`]),
      [SEARCH, "search: looks ahead, as you set it"],
      [NETWORK, "a saved network, from a file"],
    ];
    const detail = make("input", { value: seat.detail, size: 30, oninput: () => (seat.detail = detail.value) });
    const file = make("input", { type: "file", accept: ".npz", "aria-label": "A saved network, a .npz file" });
    file.addEventListener("change", () => {
      this.sending = this.send(file.files[0], (agent) => (seat.detail = detail.value = agent)).then((error) => (seat.error = error));
    });
    const select = make("select", { id }, ...who.map(([value, text]) => make("option", { value, selected: value === seat.who }, text)));
    const showDetail = () => {
      seat.who = select.value;
      detail.hidden = ![SEARCH, NETWORK].includes(seat.who);
      file.hidden = seat.who !== NETWORK;
      if (detail.hidden) return;
      detail.placeholder = seat.who === SEARCH ? "simulations, for example 200" : "or its path on the server";
      detail.setAttribute("aria-label", detail.placeholder);
    };
    select.addEventListener("change", () => {
      file.value = seat.error = "";
      seat.detail = detail.value = select.value === SEARCH ? "200" : "";
      showDetail();
    });
    showDetail();
    return field(capitalised(this.game.seats[number]), id, [select, file, detail]);
  }

  /** Who plays a seat, for the server. */
  chair({ who, detail, error }) {
    if (who === "you" || who === "person") return { kind: who };
    if (who === NETWORK && !detail) throw new Error(error || "Choose the file of the saved network, or give its path.");
    if (who === SEARCH) return { kind: "agent", agent: detail.includes(":") ? detail : `search:${detail}` };
    return { kind: "agent", agent: who === NETWORK ? detail : who };
  }

  // -- sending -------------------------------------------------------------------------------

  /** Send a saved network; take(agent) is told what it is called. What is wrong with it, or "". */
  async send(file, take) {
    this.tell("");
    take("");
    try {
      if (file) take(await this.sendNetwork(file));
    } catch (error) {
      this.tell(error.message);
      return error.message;
    }
    return "";
  }

  async submit() {
    this.tell("");
    await this.sending;
    try {
      await this.start({
        game: this.game.id,
        options: this.options,
        data: this.data,
        seats: this.seats.map((seat) => this.chair(seat)),
        seed: this.seedValue ?? null,
        pace: this.paceValue ?? (this.seats.some(({ who }) => who === "you" || who === "person") ? 0 : TO_WATCH),
      });
    } catch (error) {
      this.tell(error.message);
    }
  }

  tell(text) {
    this.trouble.hidden = !text;
    this.trouble.textContent = text;
  }
}

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Rows that are hidden until one wants them, or until one of them is wrong. */
function folded(title, ...rows) {
  const details = make("details", {}, make("summary", {}, title), make("fieldset", {}, ...rows));
  details.addEventListener("invalid", () => (details.open = true), true);
  return details;
}

/** A row of the form. */
function field(name, id, inputs, help = "") {
  const label = id ? make("label", { for: id }, name) : make("span", {}, name);
  const helps = help ? make("span", { className: "help small faded" }, help) : null;
  const row = make("div", { className: "field" }, label, make("div", { className: "controls" }, ...inputs));
  if (helps) row.append(helps);
  return row;
}
