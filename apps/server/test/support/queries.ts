import type { Database, Orm } from "../../src/db/database.ts";

/** The database with a list of the statements sent through it, without their values. */
export function counting(db: Database): { db: Database; queries: string[] } {
  const queries: string[] = [];
  // Internals of drizzle: every query of either driver is prepared through its session.
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
