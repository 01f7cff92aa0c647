CREATE TABLE announcements (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    text VARCHAR(1000) NOT NULL,
    until INTEGER NOT NULL
);
CREATE TABLE counters (
    name VARCHAR(32) NOT NULL,
    value INTEGER NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name)
);
CREATE TABLE inbox (
    platform VARCHAR(16) NOT NULL,
    id BIGINT NOT NULL,
    payload JSON,
    at INTEGER NOT NULL,
    CONSTRAINT pk_inbox PRIMARY KEY (platform, id)
);
CREATE INDEX ix_inbox_waiting ON inbox (platform, id) WHERE payload IS NOT NULL;
CREATE INDEX ix_inbox_at ON inbox (at);
CREATE TABLE memos (
    platform VARCHAR(16) NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    value VARCHAR(128) NOT NULL,
    CONSTRAINT pk_memos PRIMARY KEY (platform, "key")
);
CREATE TABLE places (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    platform VARCHAR(16) NOT NULL,
    external VARCHAR(128) NOT NULL,
    kind VARCHAR(16) NOT NULL,
    community VARCHAR(64),
    title VARCHAR(128) NOT NULL,
    settings JSON NOT NULL,
    created INTEGER NOT NULL,
    CONSTRAINT uq_places_platform_external UNIQUE (platform, external)
);
CREATE INDEX ix_places_platform_community ON places (platform, community);
CREATE TABLE processes (
    holder VARCHAR(32) NOT NULL,
    until INTEGER NOT NULL,
    CONSTRAINT pk_processes PRIMARY KEY (holder)
);
CREATE TABLE users (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name VARCHAR(64) NOT NULL,
    language VARCHAR(8),
    settings JSON NOT NULL,
    created INTEGER NOT NULL,
    idle_since INTEGER,
    active INTEGER,
    leaving_since INTEGER
);
CREATE INDEX ix_users_idle_since ON users (idle_since) WHERE idle_since IS NOT NULL;
CREATE INDEX ix_users_leaving_since ON users (leaving_since) WHERE leaving_since IS NOT NULL;
CREATE TABLE announcement_places (
    announcement_id INTEGER NOT NULL,
    place_id INTEGER NOT NULL,
    platform VARCHAR(16) NOT NULL,
    begun BOOLEAN NOT NULL,
    CONSTRAINT pk_announcement_places PRIMARY KEY (announcement_id, place_id),
    CONSTRAINT fk_announcement_places_announcement_id FOREIGN KEY(announcement_id) REFERENCES announcements (id) ON DELETE CASCADE,
    CONSTRAINT fk_announcement_places_place_id FOREIGN KEY(place_id) REFERENCES places (id) ON DELETE CASCADE
);
CREATE INDEX ix_announcement_places_place_id ON announcement_places (place_id);
CREATE TABLE blocks (
    blocker_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT pk_blocks PRIMARY KEY (blocker_id, blocked_id),
    CONSTRAINT fk_blocks_blocker_id FOREIGN KEY(blocker_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_blocks_blocked_id FOREIGN KEY(blocked_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_blocks_blocked_id ON blocks (blocked_id);
CREATE TABLE erased_blocks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    blocker_id INTEGER NOT NULL,
    trace VARCHAR(64) NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT uq_erased_blocks_blocker_id_trace UNIQUE (blocker_id, trace),
    CONSTRAINT fk_erased_blocks_blocker_id FOREIGN KEY(blocker_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_erased_blocks_trace ON erased_blocks (trace);
CREATE TABLE erased_challenges (
    id INTEGER NOT NULL,
    trace VARCHAR(64),
    challenger_id INTEGER,
    opponent_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT pk_erased_challenges PRIMARY KEY (id),
    CONSTRAINT fk_erased_challenges_challenger_id FOREIGN KEY(challenger_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_erased_challenges_opponent_id FOREIGN KEY(opponent_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_erased_challenges_trace ON erased_challenges (trace);
CREATE INDEX ix_erased_challenges_at ON erased_challenges (at);
CREATE INDEX ix_erased_challenges_challenger_id ON erased_challenges (challenger_id);
CREATE INDEX ix_erased_challenges_opponent_id ON erased_challenges (opponent_id);
CREATE TABLE holidays (
    id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    begins INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    CONSTRAINT pk_holidays PRIMARY KEY (id),
    CONSTRAINT fk_holidays_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_holidays_user_id ON holidays (user_id);
CREATE TABLE identities (
    platform VARCHAR(16) NOT NULL,
    external VARCHAR(128) NOT NULL,
    user_id INTEGER NOT NULL,
    handle VARCHAR(64),
    skeleton VARCHAR(640),
    CONSTRAINT pk_identities PRIMARY KEY (platform, external),
    CONSTRAINT uq_identities_platform_handle UNIQUE (platform, handle),
    CONSTRAINT fk_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX uq_identities_platform_skeleton ON identities (platform, skeleton);
CREATE INDEX ix_identities_user_id ON identities (user_id);
CREATE TABLE matches (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    code VARCHAR(16) NOT NULL,
    game VARCHAR(32) NOT NULL,
    rules INTEGER NOT NULL,
    options JSON NOT NULL,
    setup TEXT NOT NULL,
    status VARCHAR(16) NOT NULL,
    version INTEGER NOT NULL,
    stands_since INTEGER DEFAULT '1' NOT NULL,
    turn INTEGER NOT NULL,
    place_id INTEGER NOT NULL,
    challenger_id INTEGER NOT NULL,
    opponent_id INTEGER,
    wish INTEGER,
    expires INTEGER,
    ending VARCHAR(16),
    ended_by INTEGER,
    outcome JSON,
    aside INTEGER,
    news INTEGER DEFAULT '1' NOT NULL,
    news_by INTEGER,
    held_for VARCHAR(96),
    offers JSON,
    asked INTEGER,
    rated VARCHAR(64),
    takebacks BOOLEAN,
    hints BOOLEAN,
    clock VARCHAR(32),
    banks JSON,
    turn_since INTEGER,
    due INTEGER,
    remind_at INTEGER,
    reminded INTEGER,
    given_back INTEGER,
    given_seconds INTEGER,
    away JSON,
    computers JSON,
    work_after INTEGER,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    CONSTRAINT uq_matches_code UNIQUE (code),
    CONSTRAINT fk_matches_place_id FOREIGN KEY(place_id) REFERENCES places (id),
    CONSTRAINT fk_matches_challenger_id FOREIGN KEY(challenger_id) REFERENCES users (id),
    CONSTRAINT fk_matches_opponent_id FOREIGN KEY(opponent_id) REFERENCES users (id)
);
CREATE INDEX ix_matches_place_id_status ON matches (place_id, status);
CREATE INDEX ix_matches_remind_at ON matches (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX ix_matches_opponent_id_status ON matches (opponent_id, status);
CREATE INDEX ix_matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX ix_matches_challenger_id_status ON matches (challenger_id, status);
CREATE INDEX ix_matches_work_after ON matches (work_after) WHERE work_after IS NOT NULL;
CREATE INDEX ix_matches_status_expires ON matches (status, expires);
CREATE INDEX ix_matches_held_for ON matches (held_for);
CREATE INDEX ix_matches_challenger_id_created ON matches (challenger_id, created);
CREATE INDEX ix_matches_opponent_id_created ON matches (opponent_id, created);
CREATE TABLE passing (
    place_id INTEGER NOT NULL,
    message VARCHAR(64) NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT pk_passing PRIMARY KEY (place_id, message),
    CONSTRAINT fk_passing_place_id FOREIGN KEY(place_id) REFERENCES places (id) ON DELETE CASCADE,
    CONSTRAINT fk_passing_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_passing_user_id ON passing (user_id);
CREATE TABLE puzzle_ratings (
    user_id INTEGER NOT NULL,
    game VARCHAR(32) NOT NULL,
    value DOUBLE NOT NULL,
    deviation DOUBLE NOT NULL,
    volatility DOUBLE NOT NULL,
    at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    CONSTRAINT pk_puzzle_ratings PRIMARY KEY (user_id, game),
    CONSTRAINT fk_puzzle_ratings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE ratings (
    user_id INTEGER NOT NULL,
    game VARCHAR(32) NOT NULL,
    kind VARCHAR(64) NOT NULL,
    value DOUBLE NOT NULL,
    deviation DOUBLE NOT NULL,
    volatility DOUBLE NOT NULL,
    at INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (user_id, game, kind),
    CONSTRAINT fk_ratings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE readings (
    user_id INTEGER NOT NULL,
    place_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    CONSTRAINT pk_readings PRIMARY KEY (user_id, place_id),
    CONSTRAINT fk_readings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_readings_place_id FOREIGN KEY(place_id) REFERENCES places (id) ON DELETE CASCADE
);
CREATE INDEX ix_readings_place_id ON readings (place_id);
CREATE TABLE sessions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    token_hash VARCHAR(64) NOT NULL,
    label VARCHAR(64) NOT NULL,
    made INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    ended INTEGER,
    CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT uq_sessions_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);
CREATE TABLE shards (
    platform VARCHAR(16) NOT NULL,
    number INTEGER NOT NULL,
    count INTEGER NOT NULL,
    holder VARCHAR(32) NOT NULL,
    term VARCHAR(16) NOT NULL,
    CONSTRAINT pk_shards PRIMARY KEY (platform, number, count),
    CONSTRAINT fk_shards_holder FOREIGN KEY(holder) REFERENCES processes (holder) ON DELETE CASCADE
);
CREATE TABLE showings (
    id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT pk_showings PRIMARY KEY (id),
    CONSTRAINT fk_showings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_showings_at ON showings (at);
CREATE INDEX ix_showings_user_id_at ON showings (user_id, at);
CREATE TABLE standings (
    scope VARCHAR(160) NOT NULL,
    month INTEGER NOT NULL,
    game VARCHAR(32) NOT NULL,
    solo BOOLEAN NOT NULL,
    kind VARCHAR(64) NOT NULL,
    user_id INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    best INTEGER,
    recent JSON,
    worth DOUBLE NOT NULL,
    hidden BOOLEAN NOT NULL,
    CONSTRAINT pk_standings PRIMARY KEY (scope, month, game, solo, kind, user_id),
    CONSTRAINT fk_standings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_standings_user_id ON standings (user_id);
CREATE INDEX ix_standings_worth ON standings (scope, month, game, solo, kind, hidden, worth, user_id, matches);
CREATE TABLE analyses (
    match_id INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    asked_by INTEGER,
    asked_by_stranger VARCHAR(64),
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    found JSON NOT NULL,
    work_after INTEGER,
    CONSTRAINT pk_analyses PRIMARY KEY (match_id),
    CONSTRAINT fk_analyses_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_analyses_asked_by FOREIGN KEY(asked_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX ix_analyses_work_after ON analyses (work_after) WHERE work_after IS NOT NULL;
CREATE INDEX ix_analyses_asked_by ON analyses (asked_by) WHERE asked_by IS NOT NULL;
CREATE TABLE beginnings (
    user_id INTEGER NOT NULL,
    match_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    steps VARCHAR(64) NOT NULL,
    CONSTRAINT pk_beginnings PRIMARY KEY (user_id),
    CONSTRAINT fk_beginnings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_beginnings_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_beginnings_match_id ON beginnings (match_id);
CREATE TABLE boards (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL,
    place_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    message VARCHAR(64),
    former VARCHAR(64),
    shown INTEGER NOT NULL,
    news_shown_at INTEGER DEFAULT '0' NOT NULL,
    wanted INTEGER NOT NULL,
    notice VARCHAR(64),
    former_notice VARCHAR(64),
    notified INTEGER NOT NULL,
    news INTEGER NOT NULL,
    notify_after INTEGER DEFAULT '0' NOT NULL,
    platform VARCHAR(16) NOT NULL,
    lease_holder VARCHAR(32),
    lease_until INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT uq_boards_match_id_place_id_seat UNIQUE (match_id, place_id, seat),
    CONSTRAINT ck_boards_seat CHECK (seat >= -1),
    CONSTRAINT fk_boards_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_boards_place_id FOREIGN KEY(place_id) REFERENCES places (id)
);
CREATE INDEX ix_boards_behind ON boards (platform, id) WHERE shown < wanted OR notified < news OR former IS NOT NULL OR former_notice IS NOT NULL;
CREATE INDEX ix_boards_place_id ON boards (place_id);
CREATE TABLE looks_back (
    user_id INTEGER NOT NULL,
    match_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT pk_looks_back PRIMARY KEY (user_id, match_id),
    CONSTRAINT fk_looks_back_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_looks_back_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_looks_back_match_id ON looks_back (match_id);
CREATE INDEX ix_looks_back_at ON looks_back (at);
CREATE TABLE moves (
    match_id INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    notation VARCHAR(64) NOT NULL,
    at INTEGER NOT NULL,
    taken_back INTEGER,
    CONSTRAINT pk_moves PRIMARY KEY (match_id, ply),
    CONSTRAINT fk_moves_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE puzzles (
    id INTEGER NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    game VARCHAR(32) NOT NULL,
    rules INTEGER NOT NULL,
    options JSON NOT NULL,
    setup TEXT NOT NULL,
    seat INTEGER NOT NULL,
    best VARCHAR(64) NOT NULL,
    line JSON NOT NULL,
    expectation DOUBLE NOT NULL,
    second DOUBLE NOT NULL,
    match_id INTEGER,
    made INTEGER NOT NULL,
    value DOUBLE NOT NULL,
    deviation DOUBLE NOT NULL,
    volatility DOUBLE NOT NULL,
    at INTEGER,
    attempts INTEGER NOT NULL,
    CONSTRAINT pk_puzzles PRIMARY KEY (id),
    CONSTRAINT uq_puzzles_key UNIQUE ("key"),
    CONSTRAINT fk_puzzles_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE SET NULL
);
CREATE INDEX ix_puzzles_game_rules_value ON puzzles (game, rules, value);
CREATE INDEX ix_puzzles_match_id ON puzzles (match_id);
CREATE TABLE rated_matches (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL,
    game VARCHAR(32) NOT NULL,
    kind VARCHAR(64) NOT NULL,
    first_id INTEGER NOT NULL,
    second_id INTEGER NOT NULL,
    half_points INTEGER NOT NULL,
    first_value DOUBLE,
    second_value DOUBLE,
    first_value_before DOUBLE,
    first_deviation_before DOUBLE,
    first_deviation DOUBLE,
    second_value_before DOUBLE,
    second_deviation_before DOUBLE,
    second_deviation DOUBLE,
    at INTEGER NOT NULL,
    CONSTRAINT uq_rated_matches_match_id UNIQUE (match_id),
    CONSTRAINT fk_rated_matches_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_rated_matches_first_id FOREIGN KEY(first_id) REFERENCES users (id),
    CONSTRAINT fk_rated_matches_second_id FOREIGN KEY(second_id) REFERENCES users (id)
);
CREATE INDEX ix_rated_matches_second_id ON rated_matches (second_id);
CREATE INDEX ix_rated_matches_first_id_second_id_at ON rated_matches (first_id, second_id, at);
CREATE TABLE results (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    game VARCHAR(32) NOT NULL,
    place_id INTEGER NOT NULL,
    solo BOOLEAN NOT NULL,
    half_points INTEGER NOT NULL,
    score INTEGER NOT NULL,
    kind VARCHAR(64),
    moves INTEGER DEFAULT '0' NOT NULL,
    level INTEGER,
    at INTEGER NOT NULL,
    CONSTRAINT pk_results PRIMARY KEY (match_id, seat),
    CONSTRAINT fk_results_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_results_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_results_place_id FOREIGN KEY(place_id) REFERENCES places (id)
);
CREATE INDEX ix_results_of_user ON results (user_id, match_id, seat, game, solo, level, half_points, moves);
CREATE INDEX ix_results_place_id ON results (place_id);
CREATE TABLE seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    CONSTRAINT pk_seats PRIMARY KEY (match_id, seat),
    CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_seats_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
CREATE INDEX ix_seats_user_id ON seats (user_id);
CREATE TABLE session_codes (
    session_id INTEGER NOT NULL,
    code_hash VARCHAR(64) NOT NULL,
    made INTEGER NOT NULL,
    CONSTRAINT pk_session_codes PRIMARY KEY (session_id),
    CONSTRAINT fk_session_codes_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
    CONSTRAINT uq_session_codes_code_hash UNIQUE (code_hash)
);
CREATE TABLE erased_attempts (
    id INTEGER NOT NULL,
    trace VARCHAR(64),
    user_id INTEGER,
    puzzle_id INTEGER NOT NULL,
    CONSTRAINT pk_erased_attempts PRIMARY KEY (id),
    CONSTRAINT fk_erased_attempts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_erased_attempts_puzzle_id FOREIGN KEY(puzzle_id) REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_erased_attempts_trace ON erased_attempts (trace);
CREATE INDEX ix_erased_attempts_user_id_puzzle_id ON erased_attempts (user_id, puzzle_id);
CREATE INDEX ix_erased_attempts_puzzle_id ON erased_attempts (puzzle_id);
CREATE TABLE messages (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    stamp INTEGER NOT NULL,
    place_id INTEGER NOT NULL,
    author_id INTEGER,
    board_id INTEGER,
    screen JSON,
    gone BOOLEAN NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT uq_messages_stamp UNIQUE (stamp),
    CONSTRAINT fk_messages_place_id FOREIGN KEY(place_id) REFERENCES places (id),
    CONSTRAINT fk_messages_author_id FOREIGN KEY(author_id) REFERENCES users (id),
    CONSTRAINT fk_messages_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE SET NULL
);
CREATE INDEX ix_messages_place_id_stamp ON messages (place_id, stamp);
CREATE INDEX ix_messages_author_id_at ON messages (author_id, at);
CREATE INDEX ix_messages_board_id ON messages (board_id);
CREATE TABLE puzzle_attempts (
    match_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    puzzle_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    solved BOOLEAN,
    value DOUBLE,
    value_before DOUBLE,
    value_after DOUBLE,
    CONSTRAINT pk_puzzle_attempts PRIMARY KEY (match_id),
    CONSTRAINT uq_puzzle_attempts_user_id_puzzle_id UNIQUE (user_id, puzzle_id),
    CONSTRAINT fk_puzzle_attempts_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_puzzle_attempts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_puzzle_attempts_puzzle_id FOREIGN KEY(puzzle_id) REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_puzzle_attempts_puzzle_id ON puzzle_attempts (puzzle_id);
INSERT INTO memos (platform, key, value) VALUES ('house', 'button-key', '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e');
INSERT INTO counters (name, value) VALUES ('messages.stamp', 0);
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('v0001');
