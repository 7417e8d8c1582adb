/** The tables of the service in SQLite, and how the rest of the code reads and writes them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const schema = `
  CREATE TABLE tenants (id TEXT PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, api_key TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL, updated INTEGER NOT NULL);
  CREATE TABLE assistants (
    id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, streaming INTEGER NOT NULL,
    meta_schema TEXT NOT NULL, required_fields TEXT NOT NULL);
  CREATE TABLE threads (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL, origin TEXT NOT NULL,
    created INTEGER NOT NULL);
  CREATE TABLE messages (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, thread_id TEXT NOT NULL REFERENCES threads (id),
    position INTEGER NOT NULL, role TEXT NOT NULL, created INTEGER NOT NULL, record TEXT NOT NULL,
    UNIQUE (thread_id, position));
  CREATE INDEX messages_by_time ON messages (thread_id, created DESC, position DESC);
  CREATE TABLE files (
    id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, filename TEXT NOT NULL, persist INTEGER NOT NULL,
    expires INTEGER NOT NULL, media_type TEXT, size INTEGER, uploaded INTEGER);
`

/** A row as SQLite returns it. */
export type Row = Readonly<Record<string, string | number | null>>

/** An open database and how to close it. */
export interface OpenDatabase {
  readonly database: DatabaseSync
  close(): void
}

/** Opens an empty database in a temporary file. */
export function openDatabase(): OpenDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'juniper-'))
  const database = new DatabaseSync(join(folder, 'juniper.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;')
  database.exec(schema)
  return {
    database,
    close() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** All rows of a query. */
export function rows(database: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
  return database.prepare(sql).all(...values) as Row[]
}

/** The first row of a query. */
export function row(database: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
  return database.prepare(sql).get(...values) as Row | undefined
}

/** Executes a statement that changes the database. */
export function change(database: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): void {
  database.prepare(sql).run(...values)
}

/** Does all of the work or none of it. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (reason) {
    database.exec('ROLLBACK')
    throw reason
  }
}
