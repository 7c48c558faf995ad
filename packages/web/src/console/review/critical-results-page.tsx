import { Button, Textarea, TextInput } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Instant } from '../components/instant.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useViewState } from '../shell/view-state.ts'

type Task = components['schemas']['CriticalResultTask']

const TABS = [
  { key: 'open', title: 'To acknowledge' },
  { key: 'completed', title: 'Acknowledged' },
] as const

const nameOf = ({ key }: Environment) => [...key, 'critical results'] as const

/** The critical results that wait for a person, and those that were acknowledged. */
export function CriticalResultsPage(): ReactNode {
  const [{ tab }] = useViewState({ tab: 'open' })
  return (
    <Page
      title="Critical results"
      description="A critical result stays in this list until a person acknowledges it."
    >
      <Tabs label="Critical results" tabs={TABS} chosen={tab} />
      <TaskList key={tab} isOpen={tab !== 'completed'} />
    </Page>
  )
}

function TaskList({ isOpen }: { isOpen: boolean }): ReactNode {
  const environment = useEnvironment()
  const [chosen, setChosen] = useState<Task>()
  const list = useInfiniteQuery({
    queryKey: [...nameOf(environment), isOpen],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        environment.team.GET('/v3/critical_result_task', {
          params: {
            query: {
              limit: 50,
              ...(!isOpen && { status: 'completed' as const }),
              ...(pageParam && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    // A task is opened by a laboratory, while the page is open.
    refetchInterval: 30_000,
  })
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(
    () => [
      ...commonColumns(environment),
      ...(isOpen ? openColumns(setChosen) : ACKNOWLEDGED_COLUMNS),
    ],
    [environment, isOpen],
  )
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={() => list.refetch()} />
  }
  return (
    <>
      <DataTable
        label={isOpen ? 'Critical results to acknowledge' : 'Acknowledged critical results'}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        more={list}
        empty={
          <EmptyState
            title={isOpen ? 'No critical results to acknowledge.' : 'No acknowledged results.'}
          >
            A task appears here when a laboratory reports a critical value.
          </EmptyState>
        }
      />
      {chosen && <Acknowledge task={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

const valuesOf = ({ results }: Task): string =>
  results.map(({ name, result, unit }) => [name, result, unit].filter(Boolean).join(' ')).join(', ')

const commonColumns = ({ teamId: team, env }: Environment): Column<Task>[] => [
  {
    key: 'order',
    title: 'Order',
    width: '7rem',
    render: ({ order_id: order }) => (
      <Link to="/$team/$env/orders/$order" params={{ team, env, order }}>
        <code>{order.slice(0, 8)}</code>
      </Link>
    ),
  },
  { key: 'values', title: 'Critical values', width: 'minmax(0, 2fr)', render: valuesOf },
  { key: 'opened', title: 'Reported', render: ({ opened_at: at }) => <Instant at={at} /> },
]

const openColumns = (onChoose: (task: Task) => void): Column<Task>[] => [
  {
    key: 'seen',
    title: 'Seen by',
    render: ({ received_by: by }) => by?.name ?? <span className="quiet">no one</span>,
  },
  {
    key: 'escalations',
    title: 'Escalations',
    width: '8rem',
    render: ({ escalations }) =>
      escalations > 0 ? <StatusBadge tone="bad">{String(escalations)}</StatusBadge> : 'none',
  },
  {
    key: 'acknowledge',
    title: 'Actions',
    width: '9rem',
    render: (task) => (
      <Button
        size="compact-sm"
        aria-label={`Acknowledge the result of order ${task.order_id.slice(0, 8)}`}
        onClick={() => onChoose(task)}
      >
        Acknowledge
      </Button>
    ),
  },
]

const ACKNOWLEDGED_COLUMNS: readonly Column<Task>[] = [
  {
    key: 'acknowledged',
    title: 'Acknowledged',
    render: ({ acknowledged_at: at }) => <Instant at={at} />,
  },
  { key: 'by', title: 'By', render: ({ acknowledged_by: by }) => by?.name },
  {
    key: 'note',
    title: 'Note',
    width: 'minmax(0, 2fr)',
    render: ({ note }) => note ?? <span className="quiet">none</span>,
  },
]

/** Records that a person saw or acknowledged the result, by name. */
function Acknowledge({ task, onClose }: { task: Task; onClose: () => void }): ReactNode {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const change = useMutation({
    mutationFn: (isDone: boolean) => {
      const params = { path: { task_id: task.id } }
      const by = { name: name.trim() }
      const path = '/v3/critical_result_task/{task_id}'
      return unwrapResponse(
        isDone
          ? environment.team.POST(`${path}/acknowledge`, {
              params,
              body: { ...by, note: note.trim() || null },
            })
          : environment.team.POST(`${path}/receive`, { params, body: by }),
      )
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: nameOf(environment) })
      onClose()
    },
  })
  const isNamed = name.trim() !== ''
  return (
    <Dialog
      title="Acknowledge critical result"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Back
          </Button>
          {task.received_at === null && (
            <Button
              variant="default"
              disabled={!isNamed}
              loading={change.isPending && change.variables === false}
              onClick={() => change.mutate(false)}
            >
              Only seen
            </Button>
          )}
          <Button
            disabled={!isNamed}
            loading={change.isPending && change.variables === true}
            onClick={() => change.mutate(true)}
          >
            Acknowledge
          </Button>
        </>
      }
    >
      <p>{valuesOf(task)}</p>
      <TextInput
        label="Name"
        description="Name of the person who takes responsibility for the result."
        required
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Textarea
        label="Note"
        description="Optional: action that followed the result."
        maxLength={2000}
        rows={3}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {change.error !== null && <Failure error={change.error} />}
    </Dialog>
  )
}
