import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/**
 * Returns the names of files that belong to a row.
 * @param except Ids of orders, imports, exports and reports whose rows do not count.
 */
export async function listOwnedFiles(
  db: Db,
  names: readonly string[],
  except: readonly string[],
): Promise<Set<string>> {
  const others = sql`(${[...except]}::text[])`
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as name
    where exists (select from results
        where name = any(pdf_file || document_files) and order_id::text <> all${others})
      or exists (select from unmatched_results where name = any(pdf_file || document_files))
      or exists (select from import_jobs where id::text = name and name <> all${others})
      or exists (select from import_uploads where id::text = name and name <> all${others})
      or exists (select from person_exports where id::text = name and name <> all${others})
      or exists (select from lab_report_jobs
        where id::text = split_part(name, '.', 1) and id::text <> all${others})`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
