import { StartupError } from '../errors.ts'
import { matching, setting, url } from '../settings.ts'
import { splitAddresses } from './split-addresses.ts'

/** Settings of the store of samples and summaries. */
export const CLICKHOUSE_SETTINGS = {
  clickhouseUrl: setting(
    'CLICKHOUSE_URL',
    'URL of an external ClickHouse over HTTP, as http://user:password@host:8123/database; without it an embedded one runs in SALUS_DATA_DIR. For a cluster give the URL of one server, from which those of the others follow, or the URLs of all, comma-separated.',
    '',
    clickhouseUrl,
  ),
  clickhouseCluster: setting(
    'CLICKHOUSE_CLUSTER',
    'Name of the cluster in remote_servers of the ClickHouse servers; users are distributed over its shards.',
    '',
    matching(
      'CLICKHOUSE_CLUSTER',
      /^\w[\w.-]*$/,
      'be a name of letters, digits, dots, dashes and underscores',
    ),
  ),
  clickhouseShares: setting(
    'CLICKHOUSE_SHARES',
    'Proportion of new users that each shard of the cluster gets, as 0,1,1; without it all shards get the same number. All processes need the same value.',
    '',
    shares,
  ),
}

/** Reads one address or, for a cluster, several. */
function clickhouseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  splitAddresses(text).map(url('CLICKHOUSE_URL', ['http:', 'https:']))
  return text
}

function shares(text: string | undefined): number[] | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,2}(,\d{1,2})*$/.test(text) || !/[1-9]/.test(text)) {
    throw new StartupError(
      'CLICKHOUSE_SHARES must be numbers from 0 to 99, one for each shard, such as 0,1,1.',
    )
  }
  return text.split(',').map(Number)
}
