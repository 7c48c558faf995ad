import type { Db } from '@salus/kernel/postgres/database'

/** Returns the physicians of the installation, without those of the shipped sample. */
export function listNetworkPhysicians(db: Db): Promise<{ npi: string; last_name: string }[]> {
  return db
    .selectFrom('physicians')
    .select(['npi', 'last_name'])
    .where('team_id', 'is', null)
    .where('is_sample', '=', false)
    .execute()
}
