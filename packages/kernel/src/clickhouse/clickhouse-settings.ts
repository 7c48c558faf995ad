import { StartupError } from '../errors.ts'
import { matching, setting, url } from '../settings.ts'
import { splitAddresses } from './split-addresses.ts'

/** Settings of where samples and summaries are. */
export const CLICKHOUSE_SETTINGS = {
  clickhouseUrl: setting(
    'CLICKHOUSE_URL',
    'An external ClickHouse over HTTP, as http://user:password@host:8123/database; without it an embedded one runs under SALUS_DATA_DIR. Of a cluster one address, from which those of the other servers are told, or all of them, comma-separated.',
    '',
    clickhouseUrl,
  ),
  clickhouseCluster: setting(
    'CLICKHOUSE_CLUSTER',
    'Name of the cluster in remote_servers of the ClickHouse servers: people are spread over its shards.',
    '',
    matching(
      'CLICKHOUSE_CLUSTER',
      /^\w[\w.-]*$/,
      'be a name of letters, digits, dots, dashes and underscores',
    ),
  ),
  clickhouseShares: setting(
    'CLICKHOUSE_SHARES',
    'How many of the people to come each shard of the cluster gets, in proportion, as 0,1,1; alike without it. The same for all processes.',
    '',
    shares,
  ),
}

/** One address or, of a cluster, several. */
function clickhouseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  splitAddresses(text).map(url('CLICKHOUSE_URL', ['http:', 'https:']))
  return text
}

function shares(text: string | undefined): number[] | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,2}(,\d{1,2})*$/.test(text) || !/[1-9]/.test(text)) {
    throw new StartupError('CLICKHOUSE_SHARES must be numbers from 0 to 99, one a shard, as 0,1,1.')
  }
  return text.split(',').map(Number)
}
