// The page: puts the parts in their places and passes changes on.

import { AnalysisPanel } from "./analysis.ts";
import { Announcer, resultText } from "./announce.ts";
import { Board } from "./board.ts";
import { Control } from "./control.ts";
import { filesDialog } from "./files.ts";
import { moveName } from "./geometry.ts";
import { h, replace, set, text } from "./dom.ts";
import { icon, sign, type Icon } from "./icons.ts";
import { bindKeys, type Key } from "./keys.ts";
import { MoveList } from "./moves.ts";
import { newGameDialog } from "./newgame.ts";
import { applyTheme, helpDialog, settingsDialog } from "./preferences.ts";
import { runsDialog } from "./runs.ts";
import { sceneOf } from "./scene.ts";
import { SeatCard } from "./seats.ts";
import { colour, type Session } from "./session.ts";
import type { Settings } from "./settings.ts";

const tick = 100;

export class App {
  private readonly board = new Board();
  private readonly announcer: Announcer;
  private readonly control: Control;
  private readonly seats: [SeatCard, SeatCard];
  private readonly moves: MoveList;
  private readonly analysis: AnalysisPanel;
  private readonly banner = h("div", { class: "banner", role: "status", hidden: true });
  private readonly status = h("div", { class: "status" });
  private readonly statusWords = h("p", { class: "status-words", id: "status-words" });
  private readonly statusButtons = h("div", { class: "status-buttons" });
  private readonly input: HTMLInputElement;
  private readonly typing: HTMLFormElement;
  private readonly top = h("div", { class: "seat-top" });
  private readonly bottom = h("div", { class: "seat-bottom" });
  private readonly toggles: { button: HTMLButtonElement; on: () => boolean }[] = [];
  private readonly resign: HTMLButtonElement;
  private readonly runs: HTMLButtonElement;
  private buttonsFor = "";

  constructor(
    private readonly session: Session,
    root: HTMLElement,
  ) {
    this.announcer = new Announcer(session);
    this.control = new Control(session, this.board, () => this.updateStatus(), (words) => this.announcer.speak(words));
    this.seats = [new SeatCard(session, 0), new SeatCard(session, 1)];
    this.moves = new MoveList(session);
    this.analysis = new AnalysisPanel(session, () => this.drawBoard());
    this.input = h("input", { id: "typed-move", type: "text", size: 6, maxlength: 8, autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "e2, e3h", "aria-label": "Type a move" });
    this.typing = h("form", { class: "typing", onsubmit: (event: Event) => void this.typed(event) }, this.input, h("button", { type: "submit", class: "button small" }, "Play"));
    this.resign = h("button", { type: "button", class: "button small", onclick: () => this.askResign() }, "Resign");
    this.runs = this.headButton("runs", "Runs", () => void runsDialog(session));
    this.status.append(this.statusWords, this.statusButtons);
    replace(root, ...this.page());
    bindKeys(this.keys(), () => session.settings.shortcuts);
    session.subscribe(() => this.update());
    setInterval(() => this.seats.forEach((seat) => seat.tick()), tick);
    this.update();
  }

  private page(): HTMLElement[] {
    const { session } = this;
    const header = h(
      "header",
      { class: "head" },
      h("h1", {}, sign(0), "Rampart", sign(1)),
      h(
        "nav",
        { "aria-label": "Main" },
        this.headButton("plus", "New game", () => newGameDialog(session)),
        this.headButton("share", "Share", () => filesDialog(session)),
        this.runs,
        this.headButton("gear", "Settings", () => settingsDialog(session)),
        this.headButton("help", "Help", () => helpDialog(this.keys())),
      ),
    );
    const options = h(
      "div",
      { class: "chips options", role: "group", "aria-label": "Show on the board" },
      this.setting("Paths", "S", "paths"),
      this.setting("Targets", "T", "walls"),
      this.setting("Policy", "P", "heat"),
      h("button", { type: "button", class: "chip", title: "Flip the board (F)", onclick: () => this.flip() }, "Flip"),
      this.resign,
    );
    const main = h(
      "main",
      {},
      this.top,
      h("div", { class: "board-area" }, this.control.element, this.announcer.summary),
      this.bottom,
      h("div", { class: "under" }, this.status, h("div", { class: "under-row" }, this.typing, options)),
      h("div", { class: "side" }, this.moves.element, this.analysis.element),
    );
    return [header, this.banner, main, this.announcer.live, this.announcer.cursor];
  }

  private headButton(name: Icon, label: string, action: () => void): HTMLButtonElement {
    return h("button", { type: "button", class: "head-button", "aria-label": label, title: label, onclick: action }, icon(name), h("span", {}, label));
  }

  private setting(label: string, key: string, name: "paths" | "walls" | "heat"): HTMLButtonElement {
    const button = h("button", { type: "button", class: "chip", title: `${label} (${key})`, onclick: () => this.toggle(name) }, label);
    this.toggles.push({ button, on: () => this.session.settings[name] });
    return button;
  }

  private toggle(name: keyof Settings): void {
    this.session.set({ [name]: !this.session.settings[name] });
  }

  private flip(): void {
    this.session.flipped = !this.session.flip;
    this.session.changed();
  }

  private keys(): Key[] {
    const { session } = this;
    const key = (name: string, label: string, words: string, action: () => void): Key => ({ key: name, label, text: words, plain: /^(shift\+)?[a-z?/]$/.test(name), action });
    return [
      key("arrowleft", "←", "one move back", () => void session.go("back")),
      key("arrowright", "→", "one move forward", () => void session.go("forward")),
      key("home", "Home", "to the start", () => void session.go("start")),
      key("end", "End", "to the end", () => void session.go("end")),
      key("escape", "Esc", "take back the aim", () => this.control.drop()),
      key("u", "U", "undo your move", () => void session.versioned("undo")),
      key("shift+u", "Shift+U", "redo", () => void session.versioned("redo")),
      key("f", "F", "flip the board", () => this.flip()),
      key("s", "S", "shortest paths", () => this.toggle("paths")),
      key("t", "T", "where walls can go", () => this.toggle("walls")),
      key("p", "P", "policy heatmap", () => this.toggle("heat")),
      key("c", "C", "coordinates", () => this.toggle("coordinates")),
      key("l", "L", "analysis on or off", () => void this.analysis.switch()),
      key("b", "B", "to the board", () => this.control.element.focus()),
      key("m", "M", "type a move", () => this.input.focus()),
      key("n", "N", "new game", () => newGameDialog(session)),
      key("?", "?", "this help", () => helpDialog(this.keys())),
    ];
  }

  private async typed(event: Event): Promise<void> {
    event.preventDefault();
    if (this.input.value.trim() && (await this.control.typed(this.input.value))) {
      this.input.value = "";
    }
  }

  private askResign(): void {
    this.resigning = true;
    this.updateStatus();
  }

  private resigning = false;

  // resigner is the side that gives up: the only person's, else the one to move.
  private resigner(): number {
    const seats = this.session.state?.setup.players;
    const side = this.session.state?.turn.side ?? 0;
    return seats && seats[0].engine !== seats[1].engine ? (seats[0].engine ? 1 : 0) : side;
  }

  private update(): void {
    const { session } = this;
    applyTheme(session.settings.theme);
    const { state } = session;
    set(document.body, "data-ready", state ? "yes" : "no");
    this.updateBanner();
    const [top, bottom] = session.flip ? [0, 1] : [1, 0];
    if (this.top.firstElementChild !== this.seats[top as 0 | 1].element) {
      replace(this.top, this.seats[top as 0 | 1].element);
      replace(this.bottom, this.seats[bottom as 0 | 1].element);
    }
    for (const part of [...this.seats, this.moves, this.analysis]) {
      part.update();
    }
    for (const { button, on } of this.toggles) {
      set(button, "aria-pressed", on() ? "true" : "false");
    }
    set(this.resign, "hidden", !session.owner || !state || state.result !== null);
    set(this.runs, "hidden", (session.info?.runs ?? 0) === 0);
    set(this.typing, "hidden", !session.owner);
    document.title = this.title();
    this.drawBoard();
    this.announcer.update();
  }

  private title(): string {
    const { state } = this.session;
    const mine = state && !state.result && !state.turn.engine && this.session.playing;
    return `${mine ? "Your turn – " : ""}Rampart`;
  }

  private drawBoard(): void {
    const scene = sceneOf(this.session, this.analysis.ghost);
    if (scene) {
      this.board.draw(scene);
      this.control.element.style.setProperty("--ratio", this.board.element.dataset["ratio"] ?? "1");
    }
    this.control.refresh();
    this.updateStatus();
  }

  private updateBanner(): void {
    const { link, state, owner } = this.session;
    const words = {
      live: "",
      connecting: "",
      lost: state ? "The engine is restarting… the game is kept here and goes on." : "Looking for the server…",
      gone: owner || !state ? "" : "The game is not on the server; waiting for its players.",
    }[link];
    text(this.banner, words);
    set(this.banner, "hidden", words === "");
  }

  // updateStatus writes the line under the board: one thing at a time, the most urgent first.
  private updateStatus(): void {
    const { session, control } = this;
    const { state, view } = session;
    const button = (label: string, action: () => void, primary = false): HTMLButtonElement => h("button", { type: "button", class: `button small${primary ? " primary" : ""}`, onclick: action }, label);
    let words = "";
    let tone = "";
    let buttons: HTMLButtonElement[] = [];
    if (!state || !view) {
      words = session.notice || (session.link === "gone" ? "This game is not here." : "");
      buttons = session.link === "gone" ? [button("New game", () => newGameDialog(session), true)] : [];
    } else if (this.resigning && !state.result && session.owner) {
      const side = this.resigner();
      const close = (): void => {
        this.resigning = false;
        this.updateStatus();
      };
      words = `Should ${colour(side)} resign?`;
      const yes = (): void => {
        close();
        void session.versioned("resign", { side });
      };
      buttons = [button("Resign now", yes, true), button("No", close)];
    } else if (control.pending && control.reason === "") {
      const name = moveName(control.pending);
      words = `${name}: tap again to play.`;
      buttons = [button(`Play ${name}`, () => control.confirm(), true), button("Cancel", () => control.drop())];
    } else if (control.reason) {
      words = control.reason;
      tone = "bad";
      buttons = control.pending ? [button("OK", () => control.drop())] : [];
    } else if (session.notice) {
      words = session.notice;
      buttons = [button("OK", () => session.say(""))];
    } else {
      [words, tone, buttons] = this.turnStatus(button);
    }
    text(this.statusWords, words);
    set(this.status, "data-tone", tone);
    const signature = buttons.map((b) => b.textContent).join("|") + (control.pending ? moveName(control.pending) : "") + (state ? state.version : "");
    if (signature !== this.buttonsFor) {
      this.buttonsFor = signature;
      replace(this.statusButtons, ...buttons);
    }
  }

  private turnStatus(button: (label: string, action: () => void, primary?: boolean) => HTMLButtonElement): [string, string, HTMLButtonElement[]] {
    const { session } = this;
    const { state, view } = session;
    if (!state || !view) {
      return ["", "", []];
    }
    const watching = session.owner ? "" : "You are watching. ";
    if (!session.following) {
      return [`${watching}Move ${view.ply}.`, "", [button("Follow the game", () => session.follow(), true)]];
    }
    const repeated = view.repetition > 1 && !view.result ? ` This position is on the board for the ${view.repetition === 2 ? "second" : `${view.repetition}th`} time${state.setup.repetition ? "; the third is a draw" : ""}.` : "";
    if (state.turn.error && session.owner) {
      return [`The engine failed: ${state.turn.error}. It is your turn to move for ${colour(state.turn.side)}.`, "bad", [button("Let it try again", () => void session.versioned("go"))]];
    }
    if (view.node !== state.head) {
      const head = button("To the game", () => void session.go(state.head));
      return [`${watching}Move ${view.ply} is shown.${session.canMove ? " A move from here starts a branch." : ""}${repeated}`, "", [head]];
    }
    if (state.result) {
      return [resultText(state), "good", session.owner ? [button("New game", () => newGameDialog(session), true)] : []];
    }
    const seat = state.setup.players[state.turn.side as 0 | 1];
    if (state.turn.thinking) {
      const buttons = session.owner ? [button("Move now", () => void session.act("now")), button("Stop", () => void session.act("stop"))] : [];
      return [`${watching}${seat.name} is thinking…`, "", buttons];
    }
    if (seat.engine) {
      return [`${watching}It is the turn of ${seat.name}.`, "", session.owner ? [button("Let it play", () => void session.versioned("go"), true)] : []];
    }
    return [`${watching}${session.owner && session.playing ? "Your turn." : `${colour(state.turn.side)} to move.`}${repeated}`, "", []];
  }
}

