// The server's messages (see ../../API.md) and the requests that the client makes.

export interface Info {
  version: string;
  sizes: { least: number; most: number };
  models: Model[];
  players: { spec: string; name: string; summary: string; largest: number }[];
  marks: Record<string, number>;
  runs: number;
}

export interface Model {
  name: string;
  board: string;
  walls: number;
  text: string;
}

export interface Level {
  spec: string;
  name: string;
  rating: number | null;
  text: string;
}

export interface Levels {
  levels: Level[];
  model: string;
  trained: boolean;
}

export interface Seat {
  spec: string;
  name: string;
  engine: boolean;
}

export interface ClockSetting {
  base: number;
  increment: number;
}

export interface Setup {
  board: string;
  walls: number;
  start: string;
  plyCap: number;
  repetition: boolean;
  players: [Seat, Seat];
  clock: ClockSetting | null;
}

export type Mark = "inaccuracy" | "mistake" | "blunder";

export interface TreeNode {
  id: number;
  parent: number;
  ply: number;
  side?: number;
  move?: string;
  children: number[];
  eval?: { win0: number; visits: number };
  loss?: number;
  mark?: Mark;
}

export interface Result {
  winner: number;
  reason: "goal" | "resignation" | "time" | "repetition" | "plycap";
  text: string;
}

export interface Illegal {
  code: "overlaps" | "crosses" | "nowalls" | "cutoff" | "over";
  text: string;
  player?: number;
  cells?: string[];
}

export interface View {
  node: number;
  ply: number;
  position: string;
  side: number;
  pawns: [string, string];
  walls: string[];
  left: [number, number];
  pawnMoves: string[];
  wallMoves: string[];
  illegal: Record<string, Illegal>;
  paths: [string[], string[]];
  lengths: [number, number];
  repetition: number;
  pliesLeft: number;
  result: Result | null;
  record?: { value: number; visits: number; policy: Record<string, number>; fast: boolean } | null;
}

export interface Review {
  running: boolean;
  done: number;
  of: number;
}

export interface GameState {
  id: string;
  version: number;
  seq: number;
  setup: Setup;
  nodes: TreeNode[];
  line: number[];
  cursor: number;
  head: number;
  headMoves: string[];
  view: View;
  turn: { side: number; engine: boolean; thinking: boolean; error: string };
  result: Result | null;
  clock: { left: [number, number]; running: number } | null;
  hints: boolean;
  analysis: { on: boolean; allowed: boolean };
  review: Review;
  text: string;
  share: string;
  title: string;
}

// Evals are evaluations of nodes that are new since the last state.
export interface Evals {
  seq: number;
  nodes: Pick<TreeNode, "id" | "eval" | "loss" | "mark">[];
  review: Review;
}

export interface Candidate {
  move: string;
  visits: number;
  share: number;
  winrate: number;
  prior: number;
  pv: string[];
}

export interface Analysis {
  node: number;
  side: number;
  running: boolean;
  waiting: boolean;
  visits: number;
  time: number;
  engine: string;
  trained: boolean;
  wdl: [number, number, number];
  winrate: number;
  moves: Candidate[];
  policy: Record<string, number>;
  exact: Exact | null;
  error: string;
}

export interface Exact {
  state: "solving" | "known";
  outcome?: Outcome;
  plies?: number;
  moves?: Record<string, { outcome: Outcome; plies: number }>;
}

export type Outcome = "win" | "draw" | "loss";

export interface NewGame {
  key?: string;
  board?: string;
  walls?: number;
  start?: string;
  moves?: string;
  players?: string[];
  clock?: ClockSetting & { left?: [number, number] };
  plyCap?: number;
  repetition?: boolean;
  go?: boolean;
  text?: string;
  head?: string[];
  share?: string;
  run?: { run: number; shard: number; game: number };
}

export interface Made {
  id: string;
  key: string;
  state: GameState;
}

export interface RunName {
  run: number;
  name: string;
  shards: number;
}

export interface Shard {
  shard: number;
  games: number;
  board: string;
  walls: number;
  model: string;
  open: boolean;
}

export interface RunGame {
  game: number;
  id: number;
  generation: number;
  plies: number;
  result: string;
  text: string;
}

// Failure is an answer that is no success. Its status is 0 when there was no answer at all.
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api/${path}`, { ...init, cache: "no-store" });
  } catch {
    throw new Failure(0, "offline", "The server does not answer.");
  }
  let body: unknown;
  try {
    body = await answer.json();
  } catch {
    throw new Failure(answer.ok ? 0 : answer.status, "garbled", `The server's answer (status ${answer.status}) cannot be read.`);
  }
  if (!answer.ok) {
    const { error = answer.statusText, code = "" } = body as { error?: string; code?: string };
    throw new Failure(answer.status, code, sentence(error));
  }
  return body as T;
}

// sentence turns an error text into one that can stand alone.
export function sentence(text: string): string {
  const trimmed = text.trim();
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) || capital === "" ? capital : `${capital}.`;
}

function post<T>(path: string, body: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (key) {
    headers["X-Game-Key"] = key;
  }
  return request<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

export const api = {
  info: (): Promise<Info> => request("info"),
  levels: (board: string, walls: number): Promise<Levels> => request(`levels?board=${encodeURIComponent(board)}&walls=${walls}`),
  create: (game: NewGame): Promise<Made> => post("games", game),
  game: (id: string): Promise<GameState> => request(`games/${encodeURIComponent(id)}`),
  node: (id: string, node: number): Promise<View> => request(`games/${encodeURIComponent(id)}/nodes/${node}`),
  act: (id: string, key: string, action: string, body: unknown): Promise<GameState> => post(`games/${encodeURIComponent(id)}/${action}`, body, key),
  events: (id: string): EventSource => new EventSource(`/api/games/${encodeURIComponent(id)}/events`),
  runs: (): Promise<{ runs: RunName[] }> => request("runs"),
  shards: (run: number): Promise<{ shards: Shard[] }> => request(`runs/${run}/shards`),
  games: (run: number, shard: number, from: number, count: number): Promise<{ games: RunGame[]; of: number }> =>
    request(`runs/${run}/shards/${shard}/games?from=${from}&count=${count}`),
};
