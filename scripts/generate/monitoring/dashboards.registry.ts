/** A diagram over time. */
export interface Panel {
  title: string
  /** Why one looks at it. */
  description: string
  /** Unit of Grafana: reqps, s, bytes, short, percentunit … */
  unit: string
  /** What is drawn: an expression of PromQL, and how its lines are called. */
  series: readonly (readonly [expression: string, legend: string])[]
}

export interface Dashboard {
  /** Part of the file name and of the id. */
  name: string
  title: string
  rows: readonly { title: string; panels: readonly Panel[] }[]
}

/** Of the processes that are chosen at the top of a dashboard. */
const HERE = 'job=~"$job",instance=~"$instance"'

const rate = (metric: string, more = ''): string =>
  `rate(${metric}{${HERE}${more}}[$__rate_interval])`
const sumBy = (labels: string, expression: string): string => `sum by (${labels}) (${expression})`
/** Of one or more labels beside the buckets. */
const quantile = (share: number, metric: string, labels = ''): string =>
  `histogram_quantile(${share}, ${sumBy(`le${labels && `, ${labels}`}`, rate(`${metric}_bucket`))})`
/** What every process tells of the whole deployment counts once. */
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
          title: 'Requests a second, by status',
          description: '5xx is trouble here, 4xx at whoever asks.',
          unit: 'reqps',
          series: [[sumBy('status', rate(`${REQUESTS}_count`)), '{{status}}']],
        },
        {
          title: 'Time of an answer',
          description: 'Half, 95 and 99 of 100 requests took at most so long.',
          unit: 's',
          series: [
            [quantile(0.5, REQUESTS), 'p50'],
            [quantile(0.95, REQUESTS), 'p95'],
            [quantile(0.99, REQUESTS), 'p99'],
          ],
        },
        {
          title: 'Share of requests that failed',
          description: 'Answers of 5xx among all.',
          unit: 'percentunit',
          series: [
            [
              `(sum(${rate(`${REQUESTS}_count`, ',status=~"5.."')}) or vector(0)) / sum(${rate(`${REQUESTS}_count`)})`,
              'failed',
            ],
          ],
        },
        {
          title: 'Routes by the time they take',
          description: 'Seconds of work in a second, of the ten that take most.',
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
          description: 'Resident memory, with pages of files that the system may take back.',
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
          title: 'Longest wait for a busy process',
          description: 'So long every request had to wait, at the worst since the last look.',
          unit: 's',
          series: [[`salus_event_loop_longest_stall_seconds{${HERE}}`, '{{instance}}']],
        },
        {
          title: 'Stalls a second',
          description: 'Waits of 100 ms or longer.',
          unit: 'short',
          series: [[rate('salus_event_loop_stalls_total'), '{{instance}}']],
        },
        {
          title: 'Requests over a limit',
          description: 'Answered with 429, by what the limit counts.',
          unit: 'reqps',
          series: [[sumBy('policy', rate('salus_rate_limited_requests_total')), '{{policy}}']],
        },
        {
          title: 'Failed sign-ins',
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
          title: 'Statements a second',
          description: 'By store and operation; those of the job queue are not counted.',
          unit: 'ops',
          series: [
            [sumBy('store, operation', rate(`${STATEMENTS}_count`)), '{{store}} {{operation}}'],
          ],
        },
        {
          title: 'Time of a statement, p95',
          description: 'Of an embedded ClickHouse with the wait for a free session.',
          unit: 's',
          series: [[quantile(0.95, STATEMENTS, 'store, operation'), '{{store}} {{operation}}']],
        },
        {
          title: 'Slow statements a second',
          description: 'Those that took as long as SALUS_SLOW_QUERY_MS; the log shows them.',
          unit: 'ops',
          series: [[sumBy('store', rate('salus_slow_statements_total')), '{{store}}']],
        },
        {
          title: 'Statements that failed, a second',
          description: 'Some are expected, such as a value that is there already.',
          unit: 'ops',
          series: [[sumBy('store', rate('salus_statement_failures_total')), '{{store}}']],
        },
        {
          title: 'Connections to PostgreSQL',
          description:
            'Where some wait for long, the pool is too small or statements are too slow.',
          unit: 'short',
          series: [[sumBy('state', `salus_postgres_connections{${HERE}}`), '{{state}}']],
        },
        {
          title: 'Stored and not published',
          description: 'Should be 0; tried again every hour.',
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
          description: 'Those that were given up need somebody.',
          unit: 'short',
          series: [[sumBy('state', once('salus_jobs', 'kind, state')), '{{state}}']],
        },
        {
          title: 'Oldest waiting job',
          description: 'Where it grows, workers are too few or do not work.',
          unit: 's',
          series: [[once('salus_oldest_waiting_job_seconds'), 'oldest']],
        },
        {
          title: 'Attempts a second',
          description: 'By kind and outcome.',
          unit: 'ops',
          series: [[sumBy('kind, outcome', rate(`${JOBS}_count`)), '{{kind}} {{outcome}}']],
        },
        {
          title: 'Time of an attempt, p95',
          description: 'By kind.',
          unit: 's',
          series: [[quantile(0.95, JOBS, 'kind'), '{{kind}}']],
        },
      ],
    },
    {
      title: 'Webhooks',
      panels: [
        {
          title: 'Attempts a second',
          description: 'By outcome: success, a status class, or an error.',
          unit: 'ops',
          series: [[sumBy('outcome', rate('salus_webhook_attempts_total')), '{{outcome}}']],
        },
        {
          title: 'Time of an attempt',
          description: 'Until the endpoint answered.',
          unit: 's',
          series: [
            [quantile(0.5, 'salus_webhook_attempt_duration_seconds'), 'p50'],
            [quantile(0.95, 'salus_webhook_attempt_duration_seconds'), 'p95'],
          ],
        },
        {
          title: 'Events a second',
          description: 'For which endpoints were chosen.',
          unit: 'ops',
          series: [[`sum(${rate('salus_events_dispatched_total')})`, 'events']],
        },
        {
          title: 'Oldest event without its endpoints',
          description: 'Seconds mean that no worker dispatches.',
          unit: 's',
          series: [[once('salus_oldest_undispatched_event_seconds'), 'oldest']],
        },
        {
          title: 'Events without their endpoints',
          description: 'Those that wait at this moment.',
          unit: 'short',
          series: [[once('salus_undispatched_events'), 'events']],
        },
      ],
    },
    {
      title: 'Providers and laboratories',
      panels: [
        {
          title: 'Pulls a second',
          description: 'Ranges asked for, by provider and outcome.',
          unit: 'ops',
          series: [
            [sumBy('provider, outcome', rate('salus_pulls_total')), '{{provider}} {{outcome}}'],
          ],
        },
        {
          title: 'Oldest due pull',
          description: 'How far asking is behind, by what is asked for.',
          unit: 's',
          series: [[once('salus_oldest_due_pull_seconds', 'kind'), '{{kind}}']],
        },
        {
          title: 'Pulls that are due',
          description: 'By what is asked for.',
          unit: 'short',
          series: [[once('salus_due_pulls', 'kind'), '{{kind}}']],
        },
        {
          title: 'Messages of laboratories that failed',
          description: 'Each waits for somebody.',
          unit: 'short',
          series: [[once('salus_failed_lab_messages'), 'failed']],
        },
        {
          title: 'Lab reports by status',
          description: 'Uploaded to be read.',
          unit: 'short',
          series: [[once('salus_lab_report_jobs', 'status'), '{{status}}']],
        },
        {
          title: 'Reading a lab report, p95',
          description: 'Of one attempt.',
          unit: 's',
          series: [[quantile(0.95, 'salus_lab_report_attempt_seconds'), 'p95']],
        },
        {
          title: 'Lab reports read, a second',
          description: 'Attempts by outcome.',
          unit: 'ops',
          series: [[sumBy('outcome', rate('salus_lab_report_attempts_total')), '{{outcome}}']],
        },
      ],
    },
  ],
}

export const DASHBOARDS: readonly Dashboard[] = [requests, stores, work]
