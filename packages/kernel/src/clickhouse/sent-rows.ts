import type { ClickHouseSettings } from '@clickhouse/client'
import type { QueryParameters, SentRows } from './clickhouse.ts'
import { toClickHouseError } from './clickhouse-error.ts'
import { escapedForm, namedParameters } from './query-parameters.ts'
import { checkedTable, structureOf } from './result-rows.ts'

/** Address of a server, and the user that sends requests to it. */
export interface Login {
  /** URL without user and password. */
  url: string
  username: string
  password: string
  database: string
  timeoutMs: number
}

interface StatementWithRows {
  /** Statement with its FORMAT. */
  sql: string
  parameters: QueryParameters
  settings: ClickHouseSettings
  sent: SentRows
}

/**
 * Runs a statement on a server with rows that are part of the same request: the server calls them
 * external data, and forgets them with the request. The driver has no form for that.
 * @throws ClickHouseError
 */
export async function postWithRows(
  { url, username, password, database, timeoutMs }: Login,
  { sql, parameters, settings, sent }: StatementWithRows,
  signal: AbortSignal,
): Promise<Response> {
  const table = checkedTable(sent.table)
  const address = new URL(url)
  const asked = {
    ...{ database, [`${table}_structure`]: structureOf(sent.columns) },
    ...{ [`${table}_format`]: 'TabSeparated', ...settings },
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, String(value))
  const form = new FormData()
  form.set('query', sql)
  for (const [name, value] of namedParameters(sql, parameters)) {
    form.set(`param_${name}`, escapedForm(value))
  }
  form.set(table, new Blob([new Uint8Array(sent.payload)]), table)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
      body: form,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (response.ok) return response
    throw new Error(await response.text())
  } catch (error) {
    // fetch throws an error whose cause is the failure on the way.
    throw toClickHouseError(error instanceof TypeError ? (error.cause ?? error) : error)
  }
}
