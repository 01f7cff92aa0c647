CREATE TABLE announcements (
    id BIGSERIAL NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    until BIGINT NOT NULL,
    CONSTRAINT pk_announcements PRIMARY KEY (id)
);
CREATE TABLE counters (
    name TEXT COLLATE "C" NOT NULL,
    value BIGINT NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name)
);
CREATE TABLE inbox (
    platform TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    payload JSON,
    at BIGINT NOT NULL,
    CONSTRAINT pk_inbox PRIMARY KEY (platform, id)
);
CREATE INDEX ix_inbox_at ON inbox (at);
CREATE INDEX ix_inbox_waiting ON inbox (platform, id) WHERE payload IS NOT NULL;
CREATE TABLE memos (
    platform TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_memos PRIMARY KEY (platform, key)
);
CREATE TABLE places (
    id BIGSERIAL NOT NULL,
    platform TEXT COLLATE "C" NOT NULL,
    external TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    community TEXT COLLATE "C",
    title TEXT COLLATE "C" NOT NULL,
    settings JSON NOT NULL,
    created BIGINT NOT NULL,
    CONSTRAINT pk_places PRIMARY KEY (id),
    CONSTRAINT uq_places_platform_external UNIQUE (platform, external)
);
CREATE INDEX ix_places_platform_community ON places (platform, community);
CREATE TABLE processes (
    holder TEXT COLLATE "C" NOT NULL,
    until BIGINT NOT NULL,
    CONSTRAINT pk_processes PRIMARY KEY (holder)
);
CREATE TABLE users (
    id BIGSERIAL NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C",
    settings JSON NOT NULL,
    created BIGINT NOT NULL,
    idle_since BIGINT,
    active BIGINT,
    leaving_since BIGINT,
    CONSTRAINT pk_users PRIMARY KEY (id)
);
CREATE INDEX ix_users_idle_since ON users (idle_since) WHERE idle_since IS NOT NULL;
CREATE INDEX ix_users_leaving_since ON users (leaving_since) WHERE leaving_since IS NOT NULL;
CREATE TABLE announcement_places (
    announcement_id BIGINT NOT NULL,
    place_id BIGINT NOT NULL,
    platform TEXT COLLATE "C" NOT NULL,
    begun BOOLEAN NOT NULL,
    CONSTRAINT pk_announcement_places PRIMARY KEY (announcement_id, place_id),
    CONSTRAINT fk_announcement_places_announcement_id FOREIGN KEY(announcement_id) REFERENCES announcements (id) ON DELETE CASCADE,
    CONSTRAINT fk_announcement_places_place_id FOREIGN KEY(place_id) REFERENCES places (id) ON DELETE CASCADE
);
CREATE INDEX ix_announcement_places_place_id ON announcement_places (place_id);
CREATE TABLE blocks (
    blocker_id BIGINT NOT NULL,
    blocked_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_blocks PRIMARY KEY (blocker_id, blocked_id),
    CONSTRAINT fk_blocks_blocker_id FOREIGN KEY(blocker_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_blocks_blocked_id FOREIGN KEY(blocked_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_blocks_blocked_id ON blocks (blocked_id);
CREATE TABLE erased_blocks (
    id BIGSERIAL NOT NULL,
    blocker_id BIGINT NOT NULL,
    trace TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_erased_blocks PRIMARY KEY (id),
    CONSTRAINT uq_erased_blocks_blocker_id_trace UNIQUE (blocker_id, trace),
    CONSTRAINT fk_erased_blocks_blocker_id FOREIGN KEY(blocker_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_erased_blocks_trace ON erased_blocks (trace);
CREATE TABLE erased_challenges (
    id BIGSERIAL NOT NULL,
    trace TEXT COLLATE "C",
    challenger_id BIGINT,
    opponent_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_erased_challenges PRIMARY KEY (id),
    CONSTRAINT fk_erased_challenges_challenger_id FOREIGN KEY(challenger_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_erased_challenges_opponent_id FOREIGN KEY(opponent_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_erased_challenges_challenger_id ON erased_challenges (challenger_id);
CREATE INDEX ix_erased_challenges_at ON erased_challenges (at);
CREATE INDEX ix_erased_challenges_trace ON erased_challenges (trace);
CREATE INDEX ix_erased_challenges_opponent_id ON erased_challenges (opponent_id);
CREATE TABLE holidays (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    begins BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    CONSTRAINT pk_holidays PRIMARY KEY (id),
    CONSTRAINT fk_holidays_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_holidays_user_id ON holidays (user_id);
CREATE TABLE identities (
    platform TEXT COLLATE "C" NOT NULL,
    external TEXT COLLATE "C" NOT NULL,
    user_id BIGINT NOT NULL,
    handle TEXT COLLATE "C",
    skeleton TEXT COLLATE "C",
    CONSTRAINT pk_identities PRIMARY KEY (platform, external),
    CONSTRAINT uq_identities_platform_handle UNIQUE (platform, handle),
    CONSTRAINT fk_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_identities_user_id ON identities (user_id);
CREATE UNIQUE INDEX uq_identities_platform_skeleton ON identities (platform, skeleton);
CREATE TABLE matches (
    id BIGSERIAL NOT NULL,
    code TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    rules BIGINT NOT NULL,
    options JSON NOT NULL,
    setup TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    stands_since BIGINT DEFAULT '1' NOT NULL,
    turn BIGINT NOT NULL,
    place_id BIGINT NOT NULL,
    challenger_id BIGINT NOT NULL,
    opponent_id BIGINT,
    wish BIGINT,
    expires BIGINT,
    ending TEXT COLLATE "C",
    ended_by BIGINT,
    outcome JSON,
    aside BIGINT,
    news BIGINT DEFAULT '1' NOT NULL,
    news_by BIGINT,
    held_for TEXT COLLATE "C",
    offers JSON,
    asked BIGINT,
    rated TEXT COLLATE "C",
    takebacks BOOLEAN,
    hints BOOLEAN,
    clock TEXT COLLATE "C",
    banks JSON,
    turn_since BIGINT,
    due BIGINT,
    remind_at BIGINT,
    reminded BIGINT,
    given_back BIGINT,
    given_seconds BIGINT,
    away JSON,
    computers JSON,
    work_after BIGINT,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    CONSTRAINT pk_matches PRIMARY KEY (id),
    CONSTRAINT uq_matches_code UNIQUE (code),
    CONSTRAINT fk_matches_place_id FOREIGN KEY(place_id) REFERENCES places (id),
    CONSTRAINT fk_matches_challenger_id FOREIGN KEY(challenger_id) REFERENCES users (id),
    CONSTRAINT fk_matches_opponent_id FOREIGN KEY(opponent_id) REFERENCES users (id)
);
CREATE INDEX ix_matches_remind_at ON matches (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX ix_matches_due ON matches (due) WHERE due IS NOT NULL;
CREATE INDEX ix_matches_opponent_id_status ON matches (opponent_id, status);
CREATE INDEX ix_matches_opponent_id_created ON matches (opponent_id, created);
CREATE INDEX ix_matches_work_after ON matches (work_after) WHERE work_after IS NOT NULL;
CREATE INDEX ix_matches_place_id_status ON matches (place_id, status);
CREATE INDEX ix_matches_status_expires ON matches (status, expires);
CREATE INDEX ix_matches_challenger_id_created ON matches (challenger_id, created);
CREATE INDEX ix_matches_challenger_id_status ON matches (challenger_id, status);
CREATE INDEX ix_matches_held_for ON matches (held_for);
CREATE TABLE passing (
    place_id BIGINT NOT NULL,
    message TEXT COLLATE "C" NOT NULL,
    user_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_passing PRIMARY KEY (place_id, message),
    CONSTRAINT fk_passing_place_id FOREIGN KEY(place_id) REFERENCES places (id) ON DELETE CASCADE,
    CONSTRAINT fk_passing_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_passing_user_id ON passing (user_id);
CREATE TABLE puzzle_ratings (
    user_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    CONSTRAINT pk_puzzle_ratings PRIMARY KEY (user_id, game),
    CONSTRAINT fk_puzzle_ratings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE ratings (
    user_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (user_id, game, kind),
    CONSTRAINT fk_ratings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE readings (
    user_id BIGINT NOT NULL,
    place_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    CONSTRAINT pk_readings PRIMARY KEY (user_id, place_id),
    CONSTRAINT fk_readings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_readings_place_id FOREIGN KEY(place_id) REFERENCES places (id) ON DELETE CASCADE
);
CREATE INDEX ix_readings_place_id ON readings (place_id);
CREATE TABLE sessions (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    token_hash TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    made BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    ended BIGINT,
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT uq_sessions_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);
CREATE TABLE shards (
    platform TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    count BIGINT NOT NULL,
    holder TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_shards PRIMARY KEY (platform, number, count),
    CONSTRAINT fk_shards_holder FOREIGN KEY(holder) REFERENCES processes (holder) ON DELETE CASCADE
);
CREATE TABLE showings (
    id BIGSERIAL NOT NULL,
    user_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_showings PRIMARY KEY (id),
    CONSTRAINT fk_showings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_showings_user_id_at ON showings (user_id, at);
CREATE INDEX ix_showings_at ON showings (at);
CREATE TABLE standings (
    scope TEXT COLLATE "C" NOT NULL,
    month BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    solo BOOLEAN NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    user_id BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    streak BIGINT NOT NULL,
    longest BIGINT NOT NULL,
    best BIGINT,
    recent JSON,
    worth DOUBLE PRECISION NOT NULL,
    hidden BOOLEAN NOT NULL,
    CONSTRAINT pk_standings PRIMARY KEY (scope, month, game, solo, kind, user_id),
    CONSTRAINT fk_standings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_standings_user_id ON standings (user_id);
CREATE INDEX ix_standings_worth ON standings (scope, month, game, solo, kind, hidden, worth, user_id, matches);
CREATE TABLE analyses (
    match_id BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    asked_by BIGINT,
    asked_by_stranger TEXT COLLATE "C",
    done BIGINT NOT NULL,
    total BIGINT NOT NULL,
    found JSON NOT NULL,
    work_after BIGINT,
    CONSTRAINT pk_analyses PRIMARY KEY (match_id),
    CONSTRAINT fk_analyses_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_analyses_asked_by FOREIGN KEY(asked_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX ix_analyses_asked_by ON analyses (asked_by) WHERE asked_by IS NOT NULL;
CREATE INDEX ix_analyses_work_after ON analyses (work_after) WHERE work_after IS NOT NULL;
CREATE TABLE beginnings (
    user_id BIGINT NOT NULL,
    match_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    steps TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_beginnings PRIMARY KEY (user_id),
    CONSTRAINT fk_beginnings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_beginnings_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_beginnings_match_id ON beginnings (match_id);
CREATE TABLE boards (
    id BIGSERIAL NOT NULL,
    match_id BIGINT NOT NULL,
    place_id BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    message TEXT COLLATE "C",
    former TEXT COLLATE "C",
    shown BIGINT NOT NULL,
    news_shown_at BIGINT DEFAULT '0' NOT NULL,
    wanted BIGINT NOT NULL,
    notice TEXT COLLATE "C",
    former_notice TEXT COLLATE "C",
    notified BIGINT NOT NULL,
    news BIGINT NOT NULL,
    notify_after BIGINT DEFAULT '0' NOT NULL,
    platform TEXT COLLATE "C" NOT NULL,
    lease_holder TEXT COLLATE "C",
    lease_until BIGINT DEFAULT '0' NOT NULL,
    CONSTRAINT pk_boards PRIMARY KEY (id),
    CONSTRAINT uq_boards_match_id_place_id_seat UNIQUE (match_id, place_id, seat),
    CONSTRAINT ck_boards_seat CHECK (seat >= -1),
    CONSTRAINT fk_boards_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_boards_place_id FOREIGN KEY(place_id) REFERENCES places (id)
);
CREATE INDEX ix_boards_behind ON boards (platform, id) WHERE shown < wanted OR notified < news OR former IS NOT NULL OR former_notice IS NOT NULL;
CREATE INDEX ix_boards_place_id ON boards (place_id);
CREATE TABLE looks_back (
    user_id BIGINT NOT NULL,
    match_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_looks_back PRIMARY KEY (user_id, match_id),
    CONSTRAINT fk_looks_back_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_looks_back_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX ix_looks_back_at ON looks_back (at);
CREATE INDEX ix_looks_back_match_id ON looks_back (match_id);
CREATE TABLE moves (
    match_id BIGINT NOT NULL,
    ply BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    notation TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    taken_back BIGINT,
    CONSTRAINT pk_moves PRIMARY KEY (match_id, ply),
    CONSTRAINT fk_moves_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE puzzles (
    id BIGSERIAL NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    rules BIGINT NOT NULL,
    options JSON NOT NULL,
    setup TEXT COLLATE "C" NOT NULL,
    seat BIGINT NOT NULL,
    best TEXT COLLATE "C" NOT NULL,
    line JSON NOT NULL,
    expectation DOUBLE PRECISION NOT NULL,
    second DOUBLE PRECISION NOT NULL,
    match_id BIGINT,
    made BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    at BIGINT,
    attempts BIGINT NOT NULL,
    CONSTRAINT pk_puzzles PRIMARY KEY (id),
    CONSTRAINT uq_puzzles_key UNIQUE (key),
    CONSTRAINT fk_puzzles_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE SET NULL
);
CREATE INDEX ix_puzzles_game_rules_value ON puzzles (game, rules, value);
CREATE INDEX ix_puzzles_match_id ON puzzles (match_id);
CREATE TABLE rated_matches (
    id BIGSERIAL NOT NULL,
    match_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    first_id BIGINT NOT NULL,
    second_id BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    first_value DOUBLE PRECISION,
    second_value DOUBLE PRECISION,
    first_value_before DOUBLE PRECISION,
    first_deviation_before DOUBLE PRECISION,
    first_deviation DOUBLE PRECISION,
    second_value_before DOUBLE PRECISION,
    second_deviation_before DOUBLE PRECISION,
    second_deviation DOUBLE PRECISION,
    at BIGINT NOT NULL,
    CONSTRAINT pk_rated_matches PRIMARY KEY (id),
    CONSTRAINT uq_rated_matches_match_id UNIQUE (match_id),
    CONSTRAINT fk_rated_matches_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_rated_matches_first_id FOREIGN KEY(first_id) REFERENCES users (id),
    CONSTRAINT fk_rated_matches_second_id FOREIGN KEY(second_id) REFERENCES users (id)
);
CREATE INDEX ix_rated_matches_second_id ON rated_matches (second_id);
CREATE INDEX ix_rated_matches_first_id_second_id_at ON rated_matches (first_id, second_id, at);
CREATE TABLE results (
    match_id BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    place_id BIGINT NOT NULL,
    solo BOOLEAN NOT NULL,
    half_points BIGINT NOT NULL,
    score BIGINT NOT NULL,
    kind TEXT COLLATE "C",
    moves BIGINT DEFAULT '0' NOT NULL,
    level BIGINT,
    at BIGINT NOT NULL,
    CONSTRAINT pk_results PRIMARY KEY (match_id, seat),
    CONSTRAINT fk_results_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_results_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT fk_results_place_id FOREIGN KEY(place_id) REFERENCES places (id)
);
CREATE INDEX ix_results_place_id ON results (place_id);
CREATE INDEX ix_results_of_user ON results (user_id, match_id, seat, game, solo, level, half_points, moves);
CREATE TABLE seats (
    match_id BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    CONSTRAINT pk_seats PRIMARY KEY (match_id, seat),
    CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_seats_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
CREATE INDEX ix_seats_user_id ON seats (user_id);
CREATE TABLE session_codes (
    session_id BIGINT NOT NULL,
    code_hash TEXT COLLATE "C" NOT NULL,
    made BIGINT NOT NULL,
    CONSTRAINT pk_session_codes PRIMARY KEY (session_id),
    CONSTRAINT fk_session_codes_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
    CONSTRAINT uq_session_codes_code_hash UNIQUE (code_hash)
);
CREATE TABLE erased_attempts (
    id BIGSERIAL NOT NULL,
    trace TEXT COLLATE "C",
    user_id BIGINT,
    puzzle_id BIGINT NOT NULL,
    CONSTRAINT pk_erased_attempts PRIMARY KEY (id),
    CONSTRAINT fk_erased_attempts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_erased_attempts_puzzle_id FOREIGN KEY(puzzle_id) REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_erased_attempts_user_id_puzzle_id ON erased_attempts (user_id, puzzle_id);
CREATE INDEX ix_erased_attempts_puzzle_id ON erased_attempts (puzzle_id);
CREATE INDEX ix_erased_attempts_trace ON erased_attempts (trace);
CREATE TABLE messages (
    id BIGSERIAL NOT NULL,
    stamp BIGINT NOT NULL,
    place_id BIGINT NOT NULL,
    author_id BIGINT,
    board_id BIGINT,
    screen JSON,
    gone BOOLEAN NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT pk_messages PRIMARY KEY (id),
    CONSTRAINT uq_messages_stamp UNIQUE (stamp),
    CONSTRAINT fk_messages_place_id FOREIGN KEY(place_id) REFERENCES places (id),
    CONSTRAINT fk_messages_author_id FOREIGN KEY(author_id) REFERENCES users (id),
    CONSTRAINT fk_messages_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE SET NULL
);
CREATE INDEX ix_messages_place_id_stamp ON messages (place_id, stamp);
CREATE INDEX ix_messages_author_id_at ON messages (author_id, at);
CREATE INDEX ix_messages_board_id ON messages (board_id);
CREATE TABLE puzzle_attempts (
    match_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    puzzle_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    solved BOOLEAN,
    value DOUBLE PRECISION,
    value_before DOUBLE PRECISION,
    value_after DOUBLE PRECISION,
    CONSTRAINT pk_puzzle_attempts PRIMARY KEY (match_id),
    CONSTRAINT uq_puzzle_attempts_user_id_puzzle_id UNIQUE (user_id, puzzle_id),
    CONSTRAINT fk_puzzle_attempts_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_puzzle_attempts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_puzzle_attempts_puzzle_id FOREIGN KEY(puzzle_id) REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX ix_puzzle_attempts_puzzle_id ON puzzle_attempts (puzzle_id);
INSERT INTO memos (platform, key, value) VALUES ('house', 'button-key', '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e');
INSERT INTO counters (name, value) VALUES ('messages.stamp', 0);
CREATE SEQUENCE written;
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('v0001');
