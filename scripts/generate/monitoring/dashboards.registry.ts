/** A graph over time. */
export interface Panel {
  title: string
  /** Explains how to read the graph. */
  description: string
  /** Unit of Grafana: reqps, s, bytes, short, percentunit … */
  unit: string
  /** Expressions of PromQL with their legends. */
  series: readonly (readonly [expression: string, legend: string])[]
}

export interface Dashboard {
  /** Part of the file name and of the id. */
  name: string
  title: string
  rows: readonly { title: string; panels: readonly Panel[] }[]
}

/** Selects the processes that are chosen at the top of a dashboard. */
const HERE = 'job=~"$job",instance=~"$instance"'

const rate = (metric: string, more = ''): string =>
  `rate(${metric}{${HERE}${more}}[$__rate_interval])`
const sumBy = (labels: string, expression: string): string => `sum by (${labels}) (${expression})`
/** Returns a quantile by one or more labels beside the buckets. */
const quantile = (share: number, metric: string, labels = ''): string =>
  `histogram_quantile(${share}, ${sumBy(`le${labels && `, ${labels}`}`, rate(`${metric}_bucket`))})`
/** Counts a metric of the whole deployment, which every process reports, once. */
const once = (metric: string, labels = '', more = ''): string =>
  `max${labels && ` by (${labels})`} (${metric}{${HERE}${more}})`

const REQUESTS = 'salus_http_request_duration_seconds'
const STATEMENTS = 'salus_statement_duration_seconds'
const JOBS = 'salus_job_duration_seconds'

const requests: Dashboard = {
  name: 'requests',
  title: 'Salus: requests',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests per second, by status',
          description: '5xx are errors of the server, 4xx of its clients.',
          unit: 'reqps',
          series: [[sumBy('status', rate(`${REQUESTS}_count`)), '{{status}}']],
        },
        {
          title: 'Response time',
          description: '50, 95 and 99 of 100 requests took at most this long.',
          unit: 's',
          series: [
            [quantile(0.5, REQUESTS), 'p50'],
            [quantile(0.95, REQUESTS), 'p95'],
            [quantile(0.99, REQUESTS), 'p99'],
          ],
        },
        {
          title: 'Share of requests that failed',
          description: 'Share of 5xx responses.',
          unit: 'percentunit',
          series: [
            [
              `(sum(${rate(`${REQUESTS}_count`, ',status=~"5.."')}) or vector(0)) / sum(${rate(`${REQUESTS}_count`)})`,
              'failed',
            ],
          ],
        },
        {
          title: 'Slowest routes',
          description: 'Seconds of work per second of the ten slowest routes.',
          unit: 'short',
          series: [
            [
              `topk(10, ${sumBy('method, route', rate(`${REQUESTS}_sum`))})`,
              '{{method}} {{route}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Memory',
          description: 'Resident memory, including file pages that the system may reclaim.',
          unit: 'bytes',
          series: [[`process_resident_memory_bytes{${HERE}}`, '{{instance}}']],
        },
        {
          title: 'Processor',
          description: 'Cores in use.',
          unit: 'short',
          series: [[rate('process_cpu_seconds_total'), '{{instance}}']],
        },
        {
          title: 'Longest stall',
          description:
            'Longest time for which the process blocked every request since the last scrape.',
          unit: 's',
          series: [[`salus_event_loop_longest_stall_seconds{${HERE}}`, '{{instance}}']],
        },
        {
          title: 'Stalls per second',
          description: 'Blocks of 100 ms or longer.',
          unit: 'short',
          series: [[rate('salus_event_loop_stalls_total'), '{{instance}}']],
        },
        {
          title: 'Requests over a limit',
          description: 'Responses with 429, by limit.',
          unit: 'reqps',
          series: [[sumBy('policy', rate('salus_rate_limited_requests_total')), '{{policy}}']],
        },
        {
          title: 'Failed authentications',
          description: 'Wrong keys, tokens, passwords, codes and signatures.',
          unit: 'reqps',
          series: [[sumBy('kind', rate('salus_sign_in_failures_total')), '{{kind}}']],
        },
      ],
    },
  ],
}

const stores: Dashboard = {
  name: 'stores',
  title: 'Salus: stores',
  rows: [
    {
      title: 'Statements',
      panels: [
        {
          title: 'Statements per second',
          description: 'Statements by store and operation, without those of the job queue.',
          unit: 'ops',
          series: [
            [sumBy('store, operation', rate(`${STATEMENTS}_count`)), '{{store}} {{operation}}'],
          ],
        },
        {
          title: 'Duration of a statement, p95',
          description:
            'For an embedded ClickHouse, the duration includes the wait for a free session.',
          unit: 's',
          series: [[quantile(0.95, STATEMENTS, 'store, operation'), '{{store}} {{operation}}']],
        },
        {
          title: 'Slow statements per second',
          description: 'Statements that took at least SALUS_SLOW_QUERY_MS; the log shows them.',
          unit: 'ops',
          series: [[sumBy('store', rate('salus_slow_statements_total')), '{{store}}']],
        },
        {
          title: 'Failed statements per second',
          description: 'Some failures are expected, such as a value that exists already.',
          unit: 'ops',
          series: [[sumBy('store', rate('salus_statement_failures_total')), '{{store}}']],
        },
        {
          title: 'Stores that answer',
          description:
            'Shows 1 for a store that answers every process. A process with 0 serves no requests.',
          unit: 'short',
          series: [[`min by (store) (salus_store_up{${HERE}})`, '{{store}}']],
        },
        {
          title: 'Servers of the ClickHouse cluster',
          description: 'Empty without a cluster.',
          unit: 'short',
          series: [
            [`min by (state) (salus_clickhouse_servers{${HERE}})`, '{{state}}'],
            [`max(salus_clickhouse_missing_shards{${HERE}})`, 'shards without a server'],
          ],
        },
        {
          title: 'Replicas of PostgreSQL',
          description: 'Empty without replicas. The seconds that they are behind.',
          unit: 's',
          series: [
            [`max by (replica) (salus_postgres_replica_lag_seconds{${HERE}})`, '{{replica}}'],
          ],
        },
        {
          title: 'Reads that replicas may take',
          description:
            'Where requests read. If many are behind, replicas replay too slowly for lists. Repeated are statements that failed on a replica.',
          unit: 'reqps',
          series: [
            [sumBy('outcome', rate('salus_postgres_replica_reads_total')), '{{outcome}}'],
            [`sum(${rate('salus_postgres_replica_repeats_total')})`, 'repeated on the primary'],
          ],
        },
        {
          title: 'Connections to PostgreSQL',
          description:
            'If statements wait for long, the pool is too small or statements are too slow.',
          unit: 'short',
          series: [[sumBy('state', `salus_postgres_connections{${HERE}}`), '{{state}}']],
        },
        {
          title: 'Pending publications',
          description: 'Should be 0; they are retried every hour.',
          unit: 'short',
          series: [[once('salus_quarantined_publications'), 'quarantined']],
        },
      ],
    },
  ],
}

const work: Dashboard = {
  name: 'work',
  title: 'Salus: background work',
  rows: [
    {
      title: 'Jobs',
      panels: [
        {
          title: 'Jobs by state',
          description: 'Jobs that were given up need an operator.',
          unit: 'short',
          series: [[sumBy('state', once('salus_jobs', 'kind, state')), '{{state}}']],
        },
        {
          title: 'Oldest waiting job',
          description: 'If it grows, there are too few workers, or they do not work.',
          unit: 's',
          series: [[once('salus_oldest_waiting_job_seconds'), 'oldest']],
        },
        {
          title: 'Attempts per second',
          description: 'Attempts by kind and outcome.',
          unit: 'ops',
          series: [[sumBy('kind, outcome', rate(`${JOBS}_count`)), '{{kind}} {{outcome}}']],
        },
        {
          title: 'Duration of an attempt, p95',
          description: 'Durations by kind.',
          unit: 's',
          series: [[quantile(0.95, JOBS, 'kind'), '{{kind}}']],
        },
      ],
    },
    {
      title: 'Webhooks',
      panels: [
        {
          title: 'Attempts per second',
          description: 'Attempts by outcome: success, a status class, or an error.',
          unit: 'ops',
          series: [[sumBy('outcome', rate('salus_webhook_attempts_total')), '{{outcome}}']],
        },
        {
          title: 'Duration of an attempt',
          description: 'Time until the endpoint responded.',
          unit: 's',
          series: [
            [quantile(0.5, 'salus_webhook_attempt_duration_seconds'), 'p50'],
            [quantile(0.95, 'salus_webhook_attempt_duration_seconds'), 'p95'],
          ],
        },
        {
          title: 'Events per second',
          description: 'Events that were dispatched to their endpoints.',
          unit: 'ops',
          series: [[`sum(${rate('salus_events_dispatched_total')})`, 'events']],
        },
        {
          title: 'Oldest undispatched event',
          description: 'A value of seconds means that no worker dispatches events.',
          unit: 's',
          series: [[once('salus_oldest_undispatched_event_seconds'), 'oldest']],
        },
        {
          title: 'Undispatched events',
          description: 'Events that wait at this moment.',
          unit: 'short',
          series: [[once('salus_undispatched_events'), 'events']],
        },
      ],
    },
    {
      title: 'Providers and laboratories',
      panels: [
        {
          title: 'Pulls per second',
          description: 'Requested ranges by provider and outcome.',
          unit: 'ops',
          series: [
            [sumBy('provider, outcome', rate('salus_pulls_total')), '{{provider}} {{outcome}}'],
          ],
        },
        {
          title: 'Oldest due pull',
          description: 'Delay of pulls by resource.',
          unit: 's',
          series: [[once('salus_oldest_due_pull_seconds', 'kind'), '{{kind}}']],
        },
        {
          title: 'Due pulls',
          description: 'Due pulls by resource.',
          unit: 'short',
          series: [[once('salus_due_pulls', 'kind'), '{{kind}}']],
        },
        {
          title: 'Messages of laboratories that failed',
          description: 'Failed messages need an operator.',
          unit: 'short',
          series: [[once('salus_failed_lab_messages'), 'failed']],
        },
        {
          title: 'Messages of laboratory connections',
          description:
            'Messages that wait for a laboratory, and those that failed or were refused.',
          unit: 'short',
          series: [
            [once('salus_lab_connections'), 'connections'],
            [once('salus_lab_connection_waiting', 'lab'), '{{lab}} waiting'],
            [once('salus_lab_connection_failed', 'lab'), '{{lab}} failed'],
          ],
        },
        {
          title: 'Ages of messages of laboratory connections',
          description: 'The oldest message that waits, and the last one that was received.',
          unit: 's',
          series: [
            [once('salus_lab_connection_oldest_waiting_age_seconds', 'lab'), '{{lab}} waiting'],
            [once('salus_lab_connection_last_received_age_seconds', 'lab'), '{{lab}} received'],
          ],
        },
        {
          title: 'Lab reports by status',
          description: 'Uploaded reports by status.',
          unit: 'short',
          series: [[once('salus_lab_report_jobs', 'status'), '{{status}}']],
        },
        {
          title: 'Duration of parsing a lab report, p95',
          description: 'Duration of one attempt.',
          unit: 's',
          series: [[quantile(0.95, 'salus_lab_report_attempt_seconds'), 'p95']],
        },
        {
          title: 'Parsed lab reports per second',
          description: 'Attempts by outcome.',
          unit: 'ops',
          series: [[sumBy('outcome', rate('salus_lab_report_attempts_total')), '{{outcome}}']],
        },
      ],
    },
  ],
}

export const DASHBOARDS: readonly Dashboard[] = [requests, stores, work]
