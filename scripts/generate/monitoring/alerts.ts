interface Alert {
  name: string
  expression: string
  /** Time for which the expression must hold. */
  lasts: string
  severity: 'critical' | 'warning'
  summary: string
}

const REQUESTS = 'salus_http_request_duration_seconds'

/** docs/observability.md explains each alert under its name. */
const ALERTS: readonly Alert[] = [
  {
    name: 'SalusDown',
    expression: 'up{job=~".*salus.*"} == 0',
    lasts: '2m',
    severity: 'critical',
    summary: 'A process of Salus does not respond.',
  },
  {
    name: 'SalusStoreDown',
    expression: 'min by (store) (salus_store_up) == 0',
    lasts: '1m',
    severity: 'critical',
    summary: 'A process does not reach a store.',
  },
  {
    name: 'SalusShardDown',
    expression: 'max(salus_clickhouse_missing_shards) > 0',
    lasts: '1m',
    severity: 'critical',
    summary: 'No server of a ClickHouse shard answers.',
  },
  {
    name: 'SalusClickHouseServerDown',
    expression: 'max(salus_clickhouse_servers{state="down"}) > 0',
    lasts: '5m',
    severity: 'warning',
    summary: 'A server of the ClickHouse cluster does not answer.',
  },
  {
    name: 'SalusReplicaUnused',
    expression: 'min by (replica) (salus_postgres_replica_up) == 0',
    lasts: '5m',
    severity: 'warning',
    summary: 'A process does not read from a replica of PostgreSQL.',
  },
  {
    name: 'SalusRequestsFail',
    expression: `sum(rate(${REQUESTS}_count{status=~"5.."}[5m])) / sum(rate(${REQUESTS}_count[5m])) > 0.02`,
    lasts: '5m',
    severity: 'critical',
    summary: 'More than 2 of 100 requests fail.',
  },
  {
    name: 'SalusRequestsSlow',
    expression: `histogram_quantile(0.95, sum by (le) (rate(${REQUESTS}_bucket[5m]))) > 1`,
    lasts: '10m',
    severity: 'warning',
    summary: 'More than 5 of 100 requests take longer than a second.',
  },
  {
    name: 'SalusStalls',
    expression: 'rate(salus_event_loop_stalls_total[10m]) > 0.1',
    lasts: '10m',
    severity: 'warning',
    summary: 'A process blocks all requests every ten seconds.',
  },
  {
    name: 'SalusStatementsSlow',
    expression: 'sum by (store) (increase(salus_slow_statements_total[15m])) > 20',
    lasts: '5m',
    severity: 'warning',
    summary: 'Many statements of a store are slow.',
  },
  {
    name: 'SalusConnectionsWaiting',
    expression: 'min_over_time(salus_postgres_connections{state="waiting"}[5m]) > 0',
    lasts: '5m',
    severity: 'warning',
    summary: 'Statements wait for a connection to PostgreSQL.',
  },
  {
    name: 'SalusJobsLate',
    expression: 'max(salus_oldest_waiting_job_seconds) > 300',
    lasts: '10m',
    severity: 'critical',
    summary: 'A job has waited for more than five minutes.',
  },
  {
    name: 'SalusJobsGivenUp',
    expression: 'max by (kind) (salus_jobs{state="given_up"}) > 0',
    lasts: '5m',
    severity: 'warning',
    summary: 'A job failed and is not retried.',
  },
  {
    name: 'SalusEventsLate',
    expression: 'max(salus_oldest_undispatched_event_seconds) > 60',
    lasts: '5m',
    severity: 'critical',
    summary: 'No worker dispatches events.',
  },
  {
    name: 'SalusWebhooksFail',
    expression:
      'sum(rate(salus_webhook_attempts_total{outcome!="success"}[15m])) / sum(rate(salus_webhook_attempts_total[15m])) > 0.5',
    lasts: '15m',
    severity: 'warning',
    summary: 'Most attempts to deliver webhooks fail.',
  },
  {
    name: 'SalusPullsLate',
    expression: 'max(salus_oldest_due_pull_seconds{kind="poll"}) > 1800',
    lasts: '15m',
    severity: 'warning',
    summary: 'Connections are pulled half an hour late.',
  },
  {
    name: 'SalusPullsFail',
    expression:
      'sum by (provider) (rate(salus_pulls_total{outcome!~"held|put_off|parked"}[15m])) / sum by (provider) (rate(salus_pulls_total[15m])) > 0.5',
    lasts: '30m',
    severity: 'warning',
    summary: 'More pulls of a provider fail than succeed.',
  },
  {
    name: 'SalusLabMessagesFailed',
    expression: 'max(salus_failed_lab_messages) > 0',
    lasts: '5m',
    severity: 'critical',
    summary: 'A message of a laboratory could not be applied.',
  },
  {
    name: 'SalusLabOrdersWait',
    expression: 'max by (lab) (salus_lab_connection_oldest_waiting_age_seconds) > 3600',
    lasts: '5m',
    severity: 'critical',
    summary: 'A laboratory has not answered a message for an hour.',
  },
  {
    name: 'SalusPublicationsQuarantined',
    expression: 'max(salus_quarantined_publications) > 0',
    lasts: '15m',
    severity: 'warning',
    summary: 'Stored data could not be published as events.',
  },
]

/** Generates alert rules for Prometheus. */
export function makeAlerts(): string {
  const rules = ALERTS.map(({ name, expression, lasts, severity, summary }) =>
    [
      `      - alert: ${name}`,
      `        expr: ${JSON.stringify(expression)}`,
      `        for: ${lasts}`,
      `        labels: { severity: ${severity} }`,
      '        annotations:',
      `          summary: ${JSON.stringify(summary)}`,
      `          runbook: ${JSON.stringify(`docs/observability.md#${name.toLowerCase()}`)}`,
    ].join('\n'),
  )
  const notice = '# generated from scripts/generate/monitoring/alerts.ts; do not edit'
  return `${notice}\ngroups:\n  - name: salus\n    rules:\n${rules.join('\n')}\n`
}
