import type { Database, Orm } from "../../src/db/database.ts";

/** Records the statements that are sent to the database, without their values. */
export function counting(db: Database): { db: Database; queries: string[] } {
  const queries: string[] = [];
  // drizzle internals: both drivers prepare every query through their session.
  type Session = { prepareQuery(query: { sql: string }, ...more: unknown[]): object };
  const watched = (orm: Orm): Orm => {
    const { session } = orm as unknown as { session: Session };
    const prepare = session.prepareQuery.bind(session);
    session.prepareQuery = (query, ...more) => {
      queries.push(query.sql);
      return prepare(query, ...more);
    };
    return orm;
  };
  watched(db.orm);
  return {
    db: { ...db, transaction: (work, isolation) => db.transaction((tx) => work(watched(tx)), isolation) },
    queries,
  };
}
