import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { useViewState } from '../../shell/view-state.ts'
import {
  lastChangeQuery,
  type RetainedResource,
  type RetentionRule,
  resourcesQuery,
  rulesQuery,
  titleOf,
} from './retention-queries.ts'
import { RuleDialog } from './rule-dialog.tsx'

/** A resource with its rule, if it has one. */
interface Row extends RetainedResource {
  title: string
  rule: RetentionRule | undefined
}

const KINDS = [
  { value: '', label: 'All' },
  { value: 'ruled', label: 'With a period' },
  { value: 'series', label: 'Series' },
  { value: 'summary', label: 'Summaries' },
  { value: 'laboratory', label: 'Laboratory' },
  { value: 'other', label: 'Other' },
]

/** Lists how long the environment keeps each kind of data. */
export function RetentionTab(): ReactNode {
  const environment = useEnvironment()
  const resources = useQuery(resourcesQuery(environment))
  const rules = useQuery(rulesQuery(environment))
  const [{ kind }, change] = useViewState({ kind: '' as string })
  const [words, setWords] = useState('')
  const [edited, setEdited] = useState<Row>()
  const columns = useMemo(() => columnsOf(setEdited), [])
  const all = useMemo(() => joinRules(resources.data, rules.data), [resources.data, rules.data])
  const rows = useMemo(
    () => all?.filter((row) => matchesFilter(row, kind, words)),
    [all, kind, words],
  )
  const error = resources.error ?? rules.error
  const retry = (): void => {
    resources.refetch()
    rules.refetch()
  }
  return (
    <Section
      title="Retention periods"
      description={`Data of the ${environment.env} that are older than their period are removed. Data without a period are kept forever. Periods are applied daily at 04:13 UTC, except to people under a legal hold.`}
    >
      <LastChange />
      <div className="rights-filters">
        <TextInput
          label="Search"
          placeholder="Heart rate"
          autoComplete="off"
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <NativeSelect
          label="Kind"
          value={kind}
          data={KINDS}
          onChange={({ currentTarget }) => change({ kind: currentTarget.value })}
        />
      </div>
      {error !== null && rows === undefined ? (
        <Failure error={error} onRetry={retry} />
      ) : (
        <DataTable
          label="Retention periods"
          columns={columns}
          rows={rows}
          rowKey={({ resource }) => resource}
          empty={
            <EmptyState
              title={kind === 'ruled' && words === '' ? 'No retention periods.' : 'No kinds match.'}
            >
              {kind === 'ruled' && words === ''
                ? 'Show all kinds to set a period.'
                : 'Try another word, or show all kinds.'}
            </EmptyState>
          }
        />
      )}
      <RuleDialog
        resource={edited}
        days={edited?.rule?.days}
        title={edited?.title ?? ''}
        onClose={() => setEdited(undefined)}
      />
    </Section>
  )
}

/** Joins resources with their rules; those with a rule come first. */
function joinRules(
  resources: readonly RetainedResource[] | undefined,
  rules: readonly RetentionRule[] | undefined,
): Row[] | undefined {
  if (resources === undefined || rules === undefined) return undefined
  const ruleOf = new Map(rules.map((rule) => [rule.resource, rule]))
  const rows = resources.map((resource) => ({
    ...resource,
    title: titleOf(resource.resource),
    rule: ruleOf.get(resource.resource),
  }))
  const rank = ({ rule, kind }: Row): number =>
    rule !== undefined ? 0 : kind === 'laboratory' ? 1 : kind === 'other' ? 2 : 3
  return rows.sort((one, other) => rank(one) - rank(other))
}

function matchesFilter(
  { kind, rule, title, resource }: Row,
  wanted: string,
  words: string,
): boolean {
  const isOfKind = wanted === '' || (wanted === 'ruled' ? rule !== undefined : kind === wanted)
  const text = `${title} ${resource}`.toLowerCase()
  return (
    isOfKind &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}

/** Shows who changed the rules last, if the audit log has it. */
function LastChange(): ReactNode {
  const { data } = useQuery(lastChangeQuery(useEnvironment()))
  if (!data) return null
  return (
    <p className="quiet">
      Last changed <Instant at={data.at} />
      {data.actor_label !== null && <> by {data.actor_label}</>}.
    </p>
  )
}

const formatDays = (days: number): string =>
  `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`

const columnsOf = (onEdit: (row: Row) => void): readonly Column<Row>[] => [
  {
    key: 'resource',
    title: 'Resource',
    width: 'minmax(0, 1.6fr)',
    render: ({ title, resource }) => (
      <span className="rights-stack">
        <span>{title}</span>
        <code className="quiet">{resource}</code>
      </span>
    ),
  },
  {
    key: 'days',
    title: 'Period',
    width: '9rem',
    render: ({ rule }) =>
      rule === undefined ? <span className="quiet">Forever (default)</span> : formatDays(rule.days),
  },
  {
    key: 'minimum',
    title: 'Minimum',
    width: '5rem',
    render: ({ minimum_days: days }) => formatDays(days),
  },
  {
    key: 'changed',
    title: 'Changed',
    render: ({ rule }) => rule && <Instant at={rule.updated_at} />,
  },
  {
    key: 'applied',
    title: 'Last applied',
    width: 'minmax(0, 1.2fr)',
    render: ({ rule }) =>
      rule && (
        <span className="rights-stack">
          <Instant at={rule.applied_at} otherwise="not yet" />
          {rule.last_removed !== null && (
            <span className="quiet">{rule.last_removed.toLocaleString('en')} removed</span>
          )}
        </span>
      ),
  },
  {
    key: 'edit',
    title: 'Actions',
    width: '5.5rem',
    render: (row) => (
      <Allowed to="rights:write">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Change ${row.title}`}
          onClick={() => onEdit(row)}
        >
          Change
        </Button>
      </Allowed>
    ),
  },
]
