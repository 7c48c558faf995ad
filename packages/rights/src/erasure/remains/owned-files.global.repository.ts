import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/** Which of the names of files are those of a row, of whomever. */
export async function listOwnedFiles(db: Db, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as name
    where exists (select from results where pdf_file = name)
      or exists (select from unmatched_results where pdf_file = name)
      or exists (select from import_jobs where id::text = name)
      or exists (select from person_exports where id::text = name)
      or exists (select from lab_report_jobs where id::text = split_part(name, '.', 1))`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
