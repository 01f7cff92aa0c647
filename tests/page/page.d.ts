// What the page's scripts find beside the browser's own: the theme (no module), and the frames
// between page and server. The server's side of them is bot/fronts/web/wire.py.

interface Theme {
  /** As it is shown now. */
  readonly now: "light" | "dark";
  toggle(): void;
}

interface Window {
  theme: Theme;
}

declare namespace Wire {
  type Box = [left: number, top: number, right: number, bottom: number];

  interface Cell {
    box: Box;
    label: string;
    token: string;
    legal: boolean;
    /** Has a move that begins so more steps? */
    partial?: boolean;
    /** Further places in the picture that mean the same. */
    also?: Box[];
  }

  interface Picture {
    url: string;
    width: number;
    height: number;
    alt?: string;
    cells?: Cell[];
    /** Beside these: what begins another move than the one that is half made. */
    others?: Cell[];
    /** All cells of a board where none can be pressed. */
    boxes?: Box[];
  }

  interface Side {
    name: string;
    /** The sign of the side. */
    mark: string;
    /** What the side is called. */
    seat: string;
    is_mine: boolean;
    has_turn: boolean;
    is_computer: boolean;
  }

  interface VisibleMove {
    seat: number;
    text: string;
  }

  interface Button {
    label: string;
    token: string;
    style?: string;
    /** The accessible name, if it is not the label. */
    named?: string;
    /** A press can do nothing. */
    disabled?: boolean;
  }

  /** What waits for an answer. */
  interface Question {
    text: string;
    answers: Button[];
  }

  /** Rows under a head, whose cells may be empty; a row may be shorter than others. */
  interface Table {
    title: string;
    head: string[];
    rows: string[][];
  }

  interface Screen {
    title?: string;
    text?: string;
    /** What of the text is to be copied as it is. */
    copied?: string[];
    /** The code of the address of an open challenge, to be sent. */
    invite?: string;
    /** When somebody's time ends (Unix seconds), and what the text calls that moment. */
    due?: { words: string; at: number } | null;
    picture?: Picture | null;
    buttons?: Button[][];
    /** What the players of a running match can offer each other. */
    offers?: Button[];
    /** What waits for an answer, each with the buttons that give one. */
    questions?: Question[];
    match?: number;
    version?: number;
    /** Of a match that is played: part of its address. */
    code?: string;
    turn?: boolean;
    /** Does this person play in the match? */
    mine?: boolean;
    /** What its game is called; the title begins with it. */
    name?: string;
    sides?: Side[];
    /** The moves, on a screen that shows how the match stood after `ply` of them. */
    record?: VisibleMove[];
    ply?: number | null;
    /** What speaks for whom there, and what would have been better, of a match looked back on. */
    judged?: string;
    /** The chances of the first side at the start, and after each move, as far as that is known. */
    evaluations?: number[];
    /** The moves that decided it. */
    turning_points?: number[];
    /** Is more of that found at this moment? */
    is_analysing?: boolean;
    over?: boolean;
    /** On the page of a shared game: where this position is played against the computer. */
    play?: string;
    /** What this person is to hear of it wherever they are. */
    news?: string;
    /** The room in which the match of a private board is played. */
    home?: string;
    file?: { name: string; url: string } | null;
    /** The name of the file with the whole match. */
    animation?: string;
    /** Leads on; without a label the whole address is shown. */
    link?: { word: string; label: string } | null;
    tables?: Table[];
    /** The message in whose place a private screen stands. */
    replaces?: number | null;
    /** A menu of games. */
    menu?: MenuEntry[];
    start?: StartCard | null;
  }

  interface MenuEntry {
    game: string;
    name: string;
    about: string;
    action: string;
  }

  /** Something of which exactly one is chosen. */
  interface Field {
    name: string;
    label: string;
    choices: [value: string, label: string][];
    chosen: string;
  }

  interface StartCard {
    game: string;
    about: string;
    options: Field[];
    side: Field;
    rated: Field | null;
    /** Values are clocks, or empty for none. */
    clock: Field;
    /** What was asked for besides. */
    more: Field[];
    whom: Field;
    computers: [value: string, label: string, name: string][];
    /** The value of the computer that is chosen at first. */
    level: string;
    /** The values of all options with which one plays alone. */
    alone: string[][];
    rules: string;
  }

  /** What was chosen. */
  interface Start {
    game: string;
    options: Record<string, string>;
    side: number | null;
    wishes: { is_unrated: boolean; has_takebacks: boolean; has_hints: boolean; clock: string };
    whom: string;
  }

  interface Person {
    id: number;
    name: string;
  }

  interface Message {
    id: number;
    stamp: number;
    room: string;
    author: Person | null;
    at: number;
    /** Is it an answer that the reader has asked for? */
    asked?: boolean;
    screen: Screen;
  }

  interface Room {
    room: string;
    title: string;
    kind: string;
  }

  /** A match or a challenge in a list. */
  interface Listed {
    match: number;
    /** Of the match. */
    version: number;
    /** Part of its address. Empty: it is a challenge of others. */
    code: string;
    /** What is played. */
    title: string;
    room: string;
    /** When it changed last, or ended. */
    at: number;
    /** The address of its board's picture. */
    picture: string | null;
    /** The other side's name, or nothing. */
    other: string;
    proposed: boolean;
    /** For the reader: to move, or to answer. */
    waits: boolean;
    /** Is it on for the reader to move? */
    turn: boolean;
    /** So many offers wait for the reader's answer. */
    offers: number;
    /** Does the reader move both sides, in private? */
    study?: boolean;
    /** So many were made: where it is one more, it is another turn. */
    moves: number;
    terms: string;
    result: string;
  }

  /** Finished games, newest first. */
  interface History {
    games: Listed[];
    /** The reader's record against the player, in words. */
    against: string;
    /** Finds the next games. 0: there are none. */
    before: number;
  }

  interface Offer {
    text: string;
    hint: string;
    /** What is shown instead of the text. */
    show?: string;
  }

  interface Done {
    t: "done";
    id: number;
    ok: boolean;
    error?: string | null;
    /** The match of which the error speaks. */
    about?: number | null;
    private?: Screen | null;
    completions?: Offer[];
    more?: boolean;
    /** The match to whose board to go. */
    match?: number | null;
    /** Where what is coming comes to. */
    room?: string | null;
    /** One's own new match, whose board is coming into that room, or the one that was asked from. */
    begun?: number | null;
    /** The same of one's own challenge. */
    proposed?: number | null;
    /** Is the answer a message for all there? */
    told?: boolean;
    /** What others play and offer. */
    others?: Listed[];
    history?: History;
  }

  interface Welcome {
    /** The public key for notifications, empty if the server sends none. */
    push: string;
    t: "welcome";
    build: string;
    you: Person;
    language: string;
    rooms: Room[];
    matches: Listed[];
    reset: boolean;
    stamp: number;
    /** How far the reader has read: room -> message. */
    read: Record<string, number>;
  }

  /** All that is told, by its `t`. */
  interface Frames {
    welcome: Welcome;
    words: { t: "words"; language: string };
    rooms: { t: "rooms"; rooms: Room[]; matches: Listed[] };
    message: { t: "message"; message: Message };
    gone: { t: "gone"; room: string; message: number };
    people: { t: "people"; names: string[] };
    farewell: { t: "farewell"; text: string };
  }

  type Frame = Frames[keyof Frames];

  /** An answer, and whether its request was sent more than once. */
  type Answer = Done & { repeated: boolean };

  type Request = { t: string } & Record<string, unknown>;
}
