import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { hideRows } from '@salus/kernel/clickhouse/remove-rows'
import type { SampleOwner } from '../ingest/index.ts'
import { SUMMARY_TABLES } from '../summaries/index.ts'

/** A source whose app id was once the name that its owner gave it. */
export interface RenamedSource {
  /** The former app id: the name. */
  name: string
  sourceType: string
  appId: string
}

const OF_SOURCE = `environment_id = {environmentId:UUID} and user_id = {userId:UUID}
    and provider = {provider:String} and app_id = {name:String}`
/** Entries by hand keep their type; nothing else was known of the source. */
const SOURCE_TYPE = "if(source_type = 'app', 'app', {sourceType:String})"

/** Returns which of some names are app ids of stored samples or summaries. */
export async function findStoredNames(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  names: readonly string[],
): Promise<Set<string>> {
  const tables = ['samples', ...RENAMED_RESOURCES.map((name) => SUMMARY_TABLES[name].table)]
  const rows = await clickhouse.queryRows<{ app_id: string }>(
    tables
      .map(
        (table) => `select distinct app_id from ${table}
        where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
          and provider = {provider:String} and app_id in {names:Array(String)}`,
      )
      .join(' union all '),
    { ...owner, names },
  )
  return new Set(rows.map(({ app_id }) => app_id))
}

/** Gives the samples of a source its present id. Duplicates under both ids are merged. */
export async function renameSamples(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  source: RenamedSource,
): Promise<void> {
  const columns = `environment_id, user_id, series, started_at, provider, source_type, app_id,
      sample_type, workout_id, sport, ended_at, timezone_offset, time_zone, value, diastolic,
      text_value, extra, version`
  const parameters = { ...owner, ...source }
  await clickhouse.command(
    `insert into samples (${columns})
    select ${columns} from (
      select * replace (${SOURCE_TYPE} as source_type, {appId:String} as app_id)
      from samples final
      where ${OF_SOURCE.replace('app_id', 'samples.app_id')}
    )`,
    parameters,
  )
  await hideRows(clickhouse, { table: 'samples', condition: OF_SOURCE, parameters })
}

/** Resources whose summaries contain the id of a source. */
export const RENAMED_RESOURCES = ['sleep', 'workouts', 'body'] as const
export type RenamedResource = (typeof RENAMED_RESOURCES)[number]

interface NamedSummary {
  id: string
  external_id: string
  source_type: string
}

/** Returns summaries of a source under its name. */
export function listNamedSummaries(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  resource: RenamedResource,
  name: string,
): Promise<NamedSummary[]> {
  return clickhouse.queryRows(
    `select id, external_id, source_type from ${SUMMARY_TABLES[resource].table} final
    where ${OF_SOURCE} and is_removed = 0`,
    { ...owner, name },
  )
}

/** Returns which of some summaries exist and are not removed. */
export async function findStoredIds(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  resource: RenamedResource,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await clickhouse.queryRows<{ id: string }>(
    `select id from ${SUMMARY_TABLES[resource].table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and id in {ids:Array(UUID)} and is_removed = 0`,
    { ...owner, ids },
  )
  return new Set(rows.map(({ id }) => id))
}

/** Gives the summaries of a source its present id; their own ids stay. */
export function renameSummaries(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  resource: RenamedResource,
  source: RenamedSource,
): Promise<void> {
  const { table } = SUMMARY_TABLES[resource]
  return clickhouse.command(
    `insert into ${table}
    select * replace (${SOURCE_TYPE} as source_type, {appId:String} as app_id,
      version + 1 as version)
    from ${table} final
    where ${OF_SOURCE.replace('app_id', `${table}.app_id`)} and is_removed = 0`,
    { ...owner, ...source },
  )
}
