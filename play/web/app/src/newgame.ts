// The dialog for a new game: board, walls, start, who plays each side and how strong, clocks.

import { api, type Info, type Levels, type NewGame } from "./api.ts";
import { field, openDialog, option } from "./dialog.ts";
import { h, replace, set, text } from "./dom.ts";
import { sign } from "./icons.ts";
import { colour, type Session } from "./session.ts";
import { remember, remembered } from "./settings.ts";

interface Choice {
  board: string;
  walls: number;
  seats: [string, string];
  clock: string;
}

const place = "rampart.newgame";
const presets = [
  { board: "9x9", walls: 10, label: "9×9, 10 walls" },
  { board: "7x7", walls: 8, label: "7×7, 8 walls" },
  { board: "5x5", walls: 3, label: "5×5, 3 walls" },
  { board: "5x5", walls: 2, label: "5×5, 2 walls" },
];
const clocks = [
  { value: "", label: "no clock" },
  { value: "60+1", label: "1 minute + 1 s" },
  { value: "180+2", label: "3 minutes + 2 s" },
  { value: "300+5", label: "5 minutes + 5 s" },
  { value: "600+10", label: "10 minutes + 10 s" },
  { value: "1800+20", label: "30 minutes + 20 s" },
];

export function newGameDialog(session: Session): void {
  const { info, state } = session;
  if (!info) {
    return;
  }
  const setup = state?.setup;
  const last: Choice = remembered<Choice>(place) ?? {
    board: setup?.board ?? "9x9",
    walls: setup?.walls ?? 10,
    seats: [setup?.players[0].spec ?? "person", setup?.players[1].spec ?? "level:3"],
    clock: "",
  };
  const [w = "9", height = "9"] = last.board.split("x");
  const sizes = Array.from({ length: info.sizes.most - info.sizes.least + 1 }, (_, i) => String(i + info.sizes.least));
  const columns = h("select", { id: "new-columns" }, ...sizes.map((n) => option(n, n, n === w)));
  const rows = h("select", { id: "new-rows" }, ...sizes.map((n) => option(n, n, n === height)));
  const walls = h("input", { id: "new-walls", type: "number", min: 0, max: 64, required: true, value: last.walls });
  const seats = [h("select", { id: "new-seat0" }), h("select", { id: "new-seat1" })] as const;
  const model = h("select", { id: "new-model" });
  const clock = h("select", { id: "new-clock" }, ...clocks.map((c) => option(c.value, c.label, c.value === last.clock)));
  const start = h("input", { id: "new-start", type: "text", spellcheck: "false", autocomplete: "off", placeholder: "9x9 e4 e6 e3h,c6v 9,9 1" });
  const cap = h("input", { id: "new-cap", type: "number", min: 0, max: 10000, placeholder: "as usual" });
  const repetition = h("input", { id: "new-repetition", type: "checkbox", checked: true });
  const problem = h("p", { class: "problem", role: "alert" });
  const note = h("p", { class: "faint", id: "new-note" });
  const modelField = field("Network of the levels", model);
  const chosen: [string, string] = [...last.seats];
  let asked = 0;

  const board = (): string => `${columns.value}x${rows.value}`;
  const fillSeats = (levels: Levels): void => {
    for (const side of [0, 1] as const) {
      replace(seats[side], ...seatOptions(info, levels, Number(columns.value) * Number(rows.value), chosen[side]));
    }
    text(note, levels.model === "" ? "No network is there for the levels: a classical player stands in." : levels.trained ? "" : `The network ${levels.model} was trained on another board and plays weaker here.`);
  };
  const boardChanged = async (): Promise<void> => {
    const most = (Number(columns.value) - 1) * (Number(rows.value) - 1);
    set(walls, "max", most);
    for (const button of presetButtons) {
      set(button, "aria-pressed", button.dataset["preset"] === `${board()}/${walls.value}` ? "true" : "false");
    }
    const ask = ++asked;
    try {
      const levels = await api.levels(board(), Math.min(most, Number(walls.value)));
      if (ask === asked) {
        fillSeats(levels);
      }
    } catch (error) {
      text(problem, error instanceof Error ? error.message : String(error));
    }
  };
  const presetButtons = presets.map((p) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        "data-preset": `${p.board}/${p.walls}`,
        "aria-pressed": "false",
        onclick: () => {
          [columns.value, rows.value] = p.board.split("x") as [string, string];
          walls.value = String(p.walls);
          void boardChanged();
        },
      },
      p.label,
    ),
  );
  for (const input of [columns, rows, walls]) {
    input.addEventListener("change", () => void boardChanged());
  }
  seats.forEach((seat, side) => seat.addEventListener("change", () => (chosen[side as 0 | 1] = seat.value)));
  replace(model, option("", "the one that fits the board"), ...info.models.map((m) => option(m.name, `${m.name}: ${m.text}`)));
  set(modelField, "hidden", info.models.length < 2);
  const swap = h(
    "button",
    {
      type: "button",
      class: "button small",
      onclick: () => {
        chosen.reverse();
        seats.forEach((seat, side) => (seat.value = chosen[side as 0 | 1]));
      },
    },
    "Swap sides",
  );

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const withModel = (spec: string): string => (spec.startsWith("level:") && model.value ? `${spec}:model=${model.value}` : spec);
    const [base, increment] = clock.value.split("+").map((n) => Number(n) * 1000);
    const startText = start.value.trim();
    const game: NewGame = {
      ...(startText ? { start: startText } : { board: board(), walls: Number(walls.value) }),
      players: seats.map((seat) => withModel(seat.value)),
      repetition: repetition.checked,
      ...(cap.value ? { plyCap: Number(cap.value) } : {}),
      ...(base && increment !== undefined ? { clock: { base, increment } } : {}),
    };
    session.notice = "";
    if (await session.create(game)) {
      remember(place, { board: board(), walls: Number(walls.value), seats: chosen, clock: clock.value } satisfies Choice);
      dialog.close();
    } else {
      text(problem, session.notice);
    }
  };
  const dialog = openDialog(
    "New game",
    h(
      "form",
      { onsubmit: (event: Event) => void submit(event) },
      h("div", { class: "chips", role: "group", "aria-label": "Boards" }, ...presetButtons),
      h("div", { class: "field-row" }, field("Columns", columns), field("Rows", rows), field("Walls each", walls)),
      h(
        "div",
        { class: "seat-choice" },
        ...seats.map((seat, side) => h("label", { class: "field" }, h("span", { class: "field-name" }, sign(side), ` ${colour(side)}, plays ${side === 0 ? "first" : "second"}`), seat)),
        swap,
      ),
      note,
      field("Clock", clock),
      h("details", {}, h("summary", {}, "More"), modelField, field("Start from a position", start, "Its board takes the place of the one above."), field("Longest game in plies", cap), h("label", { class: "check" }, repetition, h("span", {}, "The third repetition is a draw"))),
      problem,
      h("div", { class: "dialog-foot" }, h("button", { type: "submit", class: "button primary" }, "Play")),
    ),
  );
  void boardChanged();
}

function seatOptions(info: Info, levels: Levels, squares: number, chosen: string): HTMLElement[] {
  const rating = (n: number | null): string => (n === null ? "unrated" : String(Math.round(n)));
  const group = (label: string, ...options: HTMLOptionElement[]): HTMLOptGroupElement => h("optgroup", { label }, ...options);
  const groups = [
    group("Person", option("person", "You, or a person here")),
    group("Levels", ...levels.levels.map((l) => option(l.spec, `${l.name} (${rating(l.rating)})`))),
    group("Classical players", ...info.players.filter((p) => p.largest >= squares).map((p) => option(p.spec, `${p.name}: ${p.summary}`))),
  ];
  for (const item of groups.flatMap((g) => [...g.querySelectorAll("option")])) {
    item.selected = item.value === chosen;
  }
  return groups;
}
