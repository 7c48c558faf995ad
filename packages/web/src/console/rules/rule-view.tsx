import { Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Allowed } from '../components/allowed.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Instant } from '../components/instant.tsx'
import { Page, Section } from '../components/page.tsx'
import { useViewState } from '../shell/view-state.ts'
import { RulePreview, showLocal } from './rule-preview.tsx'
import { useEpisodes, useRuleCommands } from './rule-queries.ts'
import { describeCondition, type Rule, type RuleEpisode } from './rule-words.ts'

const SHOWN = [
  { value: 'triggered', label: 'The condition holds now' },
  { value: 'resolved', label: 'It has ended' },
]

function PersonLink({ episode }: { episode: RuleEpisode }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  return (
    <Link to="/$team/$env/people/$user" params={{ team, env, user: episode.user_id }}>
      {episode.client_user_id}
    </Link>
  )
}

const COLUMNS: Column<RuleEpisode>[] = [
  { key: 'person', title: 'Person', render: (episode) => <PersonLink episode={episode} /> },
  {
    key: 'value',
    title: 'Value',
    width: '8rem',
    render: ({ value, unit }) => (value === null ? '' : [value, unit].filter(Boolean).join(' ')),
  },
  { key: 'start', title: 'Since (local time)', render: ({ start }) => showLocal(start) },
  {
    key: 'end',
    title: 'Until (local time)',
    render: ({ end }) => (end === null ? 'now' : showLocal(end)),
  },
  {
    key: 'triggered',
    title: 'Triggered',
    render: ({ triggered_at: at }) => <Instant at={at} isRelative />,
  },
]

/** Shows a rule: the people for whom it holds, those for whom it held, and a preview. */
export function RuleView({ rule }: { rule: Rule }): ReactNode {
  const [view, change] = useViewState({ rule: '', show: 'triggered' })
  const { teamId: team, env } = useEnvironment()
  const episodes = useEpisodes(rule.id, view.show === 'resolved' ? 'resolved' : 'triggered')
  return (
    <Page
      title={rule.name}
      description={`${describeCondition(rule.condition)}. The rule is ${rule.status}.`}
      above={
        <Link to="/$team/$env/rules" params={{ team, env }} search={{} as never}>
          Rules
        </Link>
      }
      actions={
        <Allowed to="health:write">
          <RuleActions rule={rule} />
        </Allowed>
      }
    >
      <Section title="People">
        <NativeSelect
          label="People for whom"
          className="rule-shown"
          value={view.show}
          data={SHOWN}
          onChange={({ currentTarget }) => change({ show: currentTarget.value })}
        />
        {episodes.error === null ? (
          <DataTable
            label="Episodes"
            columns={COLUMNS}
            rows={episodes.data?.pages.flatMap(({ data }) => data)}
            rowKey={({ id }) => id}
            more={episodes}
            empty={
              <EmptyState title="No one.">
                {view.show === 'resolved'
                  ? 'Times that have ended are listed here.'
                  : 'The condition holds for no one at present. A new rule is judged with the next data.'}
              </EmptyState>
            }
          />
        ) : (
          <Failure error={episodes.error} onRetry={() => episodes.refetch()} />
        )}
      </Section>
      <Section title="Preview">
        <RulePreview condition={rule.condition} />
      </Section>
    </Page>
  )
}

function RuleActions({ rule }: { rule: Rule }): ReactNode {
  const { update, remove } = useRuleCommands()
  const [isAsked, setAsked] = useState(false)
  const isActive = rule.status === 'active'
  const next = isActive ? 'paused' : 'active'
  return (
    <>
      <Button
        variant="default"
        loading={update.isPending}
        onClick={() => update.mutate({ id: rule.id, body: { status: next } })}
      >
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button variant="subtle" onClick={() => setAsked(true)}>
        Delete rule
      </Button>
      {update.error !== null && <Failure error={update.error} />}
      <Dialog
        title={`Delete “${rule.name}”?`}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        actions={
          <>
            <Button variant="subtle" onClick={() => setAsked(false)}>
              Keep rule
            </Button>
            <Button
              loading={remove.isPending}
              onClick={() => remove.mutate(rule.id, { onSuccess: () => setAsked(false) })}
            >
              Delete rule
            </Button>
          </>
        }
      >
        <p>What holds now ends, with its tasks, and the episodes of the rule are deleted.</p>
        {remove.error !== null && <Failure error={remove.error} />}
      </Dialog>
    </>
  )
}
