import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Allowed } from '../components/allowed.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IconPlus } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { useViewState } from '../shell/view-state.ts'
import { NewRuleDialog } from './new-rule-dialog.tsx'
import { useRules } from './rule-queries.ts'
import { RuleView } from './rule-view.tsx'
import { describeCondition, type Rule } from './rule-words.ts'
import '../queries/queries.css'
import './rules.css'

const COLUMNS: Column<Rule>[] = [
  {
    key: 'name',
    title: 'Rule',
    width: 'minmax(12rem, 3fr)',
    render: ({ id, name, condition }) => (
      <span className="rule-name">
        <Link to="." search={{ rule: id } as never} className="row-link">
          {name}
        </Link>
        <span className="quiet">{describeCondition(condition)}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'State',
    width: '7rem',
    render: ({ status }) => (
      <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>{status}</StatusBadge>
    ),
  },
  {
    key: 'people',
    title: 'Applies to',
    width: '8rem',
    render: ({ user_ids: ids }) => (ids === null ? 'everyone' : `${ids.length} chosen`),
  },
  {
    key: 'task',
    title: 'Task',
    width: '7rem',
    render: ({ task }) => task?.priority ?? 'none',
  },
]

/** Lists the rules on the data of people. */
export function RulesPage(): ReactNode {
  const rules = useRules()
  const [view] = useViewState({ rule: '', show: 'triggered' })
  const [isAdding, setAdding] = useState(false)
  const rows = rules.data?.pages.flatMap(({ data }) => data)
  const opened = rows?.find(({ id }) => id === view.rule)
  const addButton = (
    <Allowed to="health:write">
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        New rule
      </Button>
    </Allowed>
  )
  if (opened !== undefined) return <RuleView rule={opened} />
  return (
    <Page
      title="Rules"
      description="Conditions on the data of people. Each triggers once when it begins to hold for a person, by an event or a task."
      actions={addButton}
    >
      {rules.error === null ? (
        <DataTable
          label="Rules"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          more={rules}
          empty={
            <EmptyState title="No rules yet." action={addButton}>
              A rule watches a value, a trend, missing data or a goal. Templates are there to begin
              with.
            </EmptyState>
          }
        />
      ) : (
        <Failure error={rules.error} onRetry={() => rules.refetch()} />
      )}
      <NewRuleDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
