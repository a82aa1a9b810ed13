// One game as this page knows it: the stream of its states, what the person may do, and how it comes back when the server does.
//
// A page owns a game if it holds the game's key; otherwise it watches, and steps through the game by itself. The server keeps games in
// memory only, so after its restart an owner makes the game again from the text of the last state, and play goes on.

import { api, Failure, type Analysis, type Evals, type GameState, type Info, type NewGame, type View } from "./api.ts";
import type { Shape } from "./geometry.ts";
import { forget, loadSettings, remember, remembered, saveSettings, type Settings } from "./settings.ts";

export type Link = "connecting" | "live" | "lost" | "gone";

interface Kept {
  key: string;
  state: GameState | null;
}

const keptGames = 20;
const shortestWait = 250;
const longestWait = 3000;
const hiddenPause = 5000;

export class Session {
  info: Info | null = null;
  settings: Settings = loadSettings();
  state: GameState | null = null;
  analysis: Analysis | null = null;
  link: Link = "connecting";
  notice = "";
  received = 0; // performance.now() of the last state, for clocks
  flipped: boolean | null = null; // null: as the seats suggest

  private id = "";
  private key = "";
  private own: View | null = null; // where a spectator has stepped to
  private stream: EventSource | null = null;
  private listeners = new Set<() => void>();
  private notified = false;
  private moving = false;
  private poll = 0;
  private retries = 0;
  private timer = 0;
  private queue: Promise<unknown> = Promise.resolve();

  constructor() {
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => this.seen());
  }

  subscribe(listener: () => void): void {
    this.listeners.add(listener);
  }

  // changed tells all views, once for all changes of one task.
  changed(): void {
    if (this.notified) {
      return;
    }
    this.notified = true;
    queueMicrotask(() => {
      this.notified = false;
      for (const listener of this.listeners) {
        listener();
      }
    });
  }

  set(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    saveSettings(this.settings);
    this.changed();
  }

  say(notice: string): void {
    this.notice = notice;
    this.changed();
  }

  get owner(): boolean {
    return this.key !== "";
  }

  // view is the position on the board.
  get view(): View | null {
    return this.own ?? this.state?.view ?? null;
  }

  // following tells whether the board shows what the game's owners see.
  get following(): boolean {
    return this.own === null;
  }

  // flip is whether player 1 is at the bottom: when he is the only person, unless the person turned the board.
  get flip(): boolean {
    const seats = this.state?.setup.players;
    const natural = seats ? (seats[0].engine && !seats[1].engine) : false;
    return this.flipped ?? natural;
  }

  get shape(): Shape {
    const [w = 9, h = 9] = (this.state?.setup.board ?? "9x9").split("x").map(Number);
    return { w, h, flipped: this.flip };
  }

  // playing is a game in progress of one person against an engine: then hints are not offered.
  get playing(): boolean {
    const state = this.state;
    return state !== null && state.result === null && state.setup.players.filter((p) => p.engine).length === 1;
  }

  // canMove tells whether a click on the board may play a move.
  get canMove(): boolean {
    const { state, view } = this;
    if (!state || !view || !this.owner || !this.following || this.link !== "live" || this.moving || state.turn.thinking || view.result) {
      return false;
    }
    if (view.node === state.head) {
      return state.result === null && (!state.turn.engine || state.turn.error !== "");
    }
    return !(this.playing && state.setup.players[view.side as 0 | 1].engine);
  }

  // Opening and leaving

  async begin(): Promise<void> {
    for (;;) {
      try {
        this.info = await api.info();
        break;
      } catch (error) {
        this.link = "lost";
        this.say(error instanceof Failure ? error.message : String(error));
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
    this.notice = "";
    addEventListener("hashchange", () => void this.openAddress());
    await this.openAddress();
  }

  private async openAddress(): Promise<void> {
    const hash = location.hash.slice(1);
    if (hash === `game=${this.id}` && this.id) {
      return;
    }
    if (hash.startsWith("g=")) {
      if (await this.create({ share: decodeURIComponent(hash.slice(2)) })) {
        return;
      }
    } else if (hash.startsWith("game=")) {
      await this.attach(hash.slice(5));
      return;
    }
    const last = remembered<string[]>("rampart.games")?.[0];
    if (last && !hash) {
      await this.attach(last);
    }
    if (!this.state) {
      await this.createFirst();
    }
  }

  // createFirst makes the game that a newcomer sees.
  private async createFirst(): Promise<void> {
    const setup = { board: "9x9", walls: 10 };
    try {
      const { levels } = await api.levels(setup.board, setup.walls);
      const level = levels[Math.floor((levels.length - 1) / 3)];
      await this.create({ ...setup, players: ["person", level?.spec ?? "racer"] });
    } catch (error) {
      this.failed(error);
    }
  }

  // create makes a game and moves to it. It reports a failure and returns false.
  async create(game: NewGame): Promise<boolean> {
    try {
      const made = await api.create(game);
      this.leave();
      this.adopt(made.id, made.key, made.state);
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  private async attach(id: string): Promise<void> {
    this.leave();
    const kept = remembered<Kept>(`rampart.game.${id}`);
    this.id = id;
    this.key = kept?.key ?? "";
    this.link = "connecting";
    this.changed();
    await this.reconnect();
  }

  private adopt(id: string, key: string, state: GameState): void {
    this.id = id;
    this.key = key;
    this.link = "live";
    this.notice = "";
    history.replaceState(null, "", `#game=${id}`);
    this.take(state);
    this.listen();
  }

  private leave(): void {
    this.stream?.close();
    this.stream = null;
    clearTimeout(this.timer);
    clearInterval(this.poll);
    this.timer = 0;
    this.retries = 0;
    this.state = null;
    this.analysis = null;
    this.own = null;
    this.flipped = null;
    this.id = "";
    this.key = "";
  }

  // What the server tells

  private listen(): void {
    this.stream?.close();
    this.stream = null;
    if (document.visibilityState !== "visible") {
      this.askNowAndThen();
      return;
    }
    const stream = api.events(this.id);
    this.stream = stream;
    const on = <T>(name: string, use: (data: T) => void): void => {
      stream.addEventListener(name, (event) => {
        if (this.stream === stream) {
          use(JSON.parse((event as MessageEvent<string>).data) as T);
        }
      });
    };
    on<GameState>("state", (state) => {
      this.retries = 0;
      this.link = "live";
      this.take(state);
    });
    on<Analysis>("analysis", (analysis) => {
      this.analysis = analysis;
      this.changed();
    });
    on<Evals>("evals", (evals) => this.takeEvals(evals));
    on<unknown>("bye", () => this.lose());
    stream.onerror = () => {
      if (this.stream === stream) {
        this.lose();
      }
    };
  }

  // take accepts a state unless a newer one is here already. It says nothing about the link: an answer can still arrive when the server that
  // sent it is gone.
  private take(state: GameState): void {
    if (state.id !== this.id || (this.state && state.seq < this.state.seq)) {
      return;
    }
    if (this.state && state.version !== this.state.version) {
      this.notice = "";
    }
    this.state = state;
    this.received = performance.now();
    if (!state.analysis.on) {
      this.analysis = null;
    }
    if (this.own && !state.nodes.some((node) => node.id === this.own?.node)) {
      this.own = null;
    }
    this.keep();
    this.changed();
  }

  private takeEvals(evals: Evals): void {
    const state = this.state;
    if (!state || evals.seq < state.seq) {
      return;
    }
    const news = new Map(evals.nodes.map((node) => [node.id, node]));
    const nodes = state.nodes.map((node) => ({ ...node, ...news.get(node.id) }));
    this.state = { ...state, nodes, review: evals.review, seq: evals.seq };
    this.changed();
  }

  // keep remembers how to get the game back: its key and, for after a restart of the server, its text.
  private keep(): void {
    if (!this.owner) {
      return;
    }
    remember(`rampart.game.${this.id}`, { key: this.key, state: this.state } satisfies Kept);
    const games = [this.id, ...(remembered<string[]>("rampart.games") ?? []).filter((id) => id !== this.id)];
    for (const old of games.splice(keptGames)) {
      forget(`rampart.game.${old}`);
    }
    remember("rampart.games", games);
  }

  // Losing the server and finding it again

  private lose(): void {
    this.stream?.close();
    this.stream = null;
    this.link = "lost";
    this.changed();
    const wait = Math.min(longestWait, shortestWait * 2 ** this.retries++);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.reconnect(), wait);
  }

  // seen gives the stream back while the tab is hidden, and asks now and then instead: a browser opens six connections to a server for all
  // its tabs together, and a seventh tab would wait for ever.
  private seen(): void {
    if (document.visibilityState === "visible") {
      clearInterval(this.poll);
      if (this.link === "live" && !this.stream && this.id) {
        void this.reconnect();
      } else {
        this.retryNow();
      }
    } else if (this.stream) {
      this.stream.close();
      this.stream = null;
      this.askNowAndThen();
    }
  }

  private askNowAndThen(): void {
    clearInterval(this.poll);
    this.poll = window.setInterval(() => void this.ask(), hiddenPause);
  }

  private async ask(): Promise<void> {
    const { id } = this;
    try {
      const state = await api.game(id);
      if (id === this.id) {
        this.take(state);
      }
    } catch {
      // Nobody looks; the tab finds out when it is seen again.
    }
  }

  private retryNow(): void {
    if (this.link === "lost" && this.timer && document.visibilityState === "visible") {
      clearTimeout(this.timer);
      void this.reconnect();
    }
  }

  private async reconnect(): Promise<void> {
    this.timer = 0;
    const id = this.id;
    try {
      const state = await api.game(id);
      if (id === this.id) {
        this.state = null; // numbers begin anew if the game was made again meanwhile
        this.own = null;
        this.link = "live";
        this.take(state);
        history.replaceState(null, "", `#game=${id}`);
        this.listen();
      }
    } catch (error) {
      if (id !== this.id) {
        return;
      }
      if (error instanceof Failure && error.status >= 400 && error.status < 500 && error.status !== 429) {
        await this.lostGame(error);
      } else {
        this.lose();
      }
    }
  }

  // lostGame is reached when the server is there and the game is not.
  private async lostGame(error: Failure): Promise<void> {
    const kept = this.state && this.key ? { key: this.key, state: this.state } : remembered<Kept>(`rampart.game.${this.id}`);
    if (error.status !== 404 || !kept?.state || !kept.key) {
      this.link = "gone";
      this.say(error.status === 404 ? "This game is not on the server any more." : error.message);
      if (this.state && error.status === 404) {
        this.timer = window.setTimeout(() => void this.reconnect(), longestWait); // its owner may bring it back
      }
      return;
    }
    try {
      await this.revive(this.id, kept.key, kept.state);
    } catch (failure) {
      if (failure instanceof Failure && failure.status >= 400 && failure.status < 500 && failure.status !== 429) {
        this.link = "gone";
        this.say(`The game could not be made again: ${failure.message}`);
      } else {
        this.lose();
      }
    }
  }

  // revive makes the game again under its key, which gives it its old id.
  private async revive(id: string, key: string, old: GameState): Promise<void> {
    const { setup, turn, result, clock } = old;
    const made = await api.create({
      key,
      text: old.text,
      head: old.headMoves,
      players: setup.players.map((seat) => seat.spec),
      go: turn.engine && !result && !turn.error,
      ...(setup.clock ? { clock: clock ? { ...setup.clock, left: clock.left } : setup.clock } : {}),
    });
    if (id !== this.id) {
      return;
    }
    this.state = null;
    this.adopt(made.id, made.key, made.state);
    if (old.analysis.on) {
      await this.act("analysis", { on: true, hints: old.hints });
    }
  }

  // What the person does

  // act sends an action; it reports a failure and returns false.
  async act(action: string, body: Record<string, unknown> = {}): Promise<boolean> {
    const { id, key } = this;
    if (!key || !this.state) {
      return false;
    }
    try {
      const state = await api.act(id, key, action, body);
      if (id === this.id) {
        this.take(state);
      }
      return true;
    } catch (error) {
      if (id === this.id) {
        this.failed(error);
      }
      return false;
    }
  }

  // versioned is act for what must not hit a game that has moved on.
  versioned(action: string, body: Record<string, unknown> = {}): Promise<boolean> {
    return this.act(action, { version: this.state?.version ?? 0, ...body });
  }

  // play sends a move; while one is on its way, others are dropped.
  async play(move: string): Promise<boolean> {
    if (!this.canMove || !this.view) {
      return false;
    }
    this.moving = true;
    this.changed();
    try {
      return await this.versioned("move", { node: this.view.node, move });
    } finally {
      this.moving = false;
      this.changed();
    }
  }

  // go moves the cursor, one request after the other; a spectator's moves on this page only.
  go(to: number | "start" | "back" | "forward" | "end"): Promise<unknown> {
    this.queue = this.queue.then(async () => {
      if (this.owner) {
        await this.act("goto", typeof to === "number" ? { node: to } : { to });
      } else {
        await this.step(to);
      }
    });
    return this.queue;
  }

  private async step(to: number | "start" | "back" | "forward" | "end"): Promise<void> {
    const { state, view } = this;
    if (!state || !view) {
      return;
    }
    const line = lineThrough(state, view.node);
    const at = line.indexOf(view.node);
    const index = { start: 0, back: Math.max(0, at - 1), forward: Math.min(line.length - 1, at + 1), end: line.length - 1 };
    const node = typeof to === "number" ? to : line[index[to]];
    if (node === undefined) {
      return;
    }
    try {
      const shown = await api.node(this.id, node);
      this.own = node === this.state?.cursor ? null : shown;
      this.changed();
    } catch (error) {
      this.failed(error);
    }
  }

  // follow ends a spectator's own stepping.
  follow(): void {
    this.own = null;
    this.changed();
  }

  private failed(error: unknown): void {
    if (!(error instanceof Failure)) {
      this.say(String(error));
      return;
    }
    if (error.status === 0 || (error.status === 404 && error.code === "game")) {
      if (this.link === "live" && this.id) {
        this.lose();
      } else if (!this.id) {
        this.say(error.message);
      }
      return;
    }
    if (error.code === "thinking") {
      return; // a click that came while an engine thinks changes nothing
    }
    if (error.code === "stale") {
      void this.resync();
      return;
    }
    this.say(error.message);
  }

  private async resync(): Promise<void> {
    const id = this.id;
    try {
      const state = await api.game(id);
      if (id === this.id) {
        this.take(state);
        this.say("The game had moved on, so nothing was changed.");
      }
    } catch (error) {
      this.failed(error);
    }
  }
}

// lineThrough is the line of moves to show for a node: the state's own if the node is on it, else the node's, to its end.
export function lineThrough(state: GameState, node: number): number[] {
  if (state.line.includes(node)) {
    return state.line;
  }
  const nodes = new Map(state.nodes.map((n) => [n.id, n]));
  const line: number[] = [];
  for (let at = nodes.get(node); at; at = nodes.get(at.parent)) {
    line.unshift(at.id);
  }
  for (let at = nodes.get(node); at?.children[0] !== undefined; at = nodes.get(at.children[0])) {
    line.push(at.children[0]);
  }
  return line;
}

// The seats' names for people. Positions and game files call them player 0 and player 1.
export const colours = ["Blue", "Orange"] as const;

export function colour(side: number): string {
  return colours[side] ?? "Nobody";
}
