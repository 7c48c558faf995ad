import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { type Environment, useEnvironment } from '../api/environment.ts'
import { useSession } from '../api/session.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Instant } from '../components/instant.tsx'
import { type BulkAction, BulkBar, runBatch } from '../components/list/bulk-bar.tsx'
import { ExportButton } from '../components/list/export-button.tsx'
import { SavedViews } from '../components/list/saved-views.tsx'
import { RowCheck, type Selection, useSelection } from '../components/list/selection.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useViewState } from '../shell/view-state.ts'
import { focusOf, TaskDetail } from './tasks/task-detail.tsx'
import { NO_TASK_FILTERS, taskFiltersOf, taskViewOf } from './tasks/task-filters.ts'
import { taskQueryOf, usePersonName, useTaskCommand, useTasks } from './tasks/task-queries.ts'
import { TASK_KIND, TASK_STATUS, type Task } from './tasks/task-words.ts'
import './tasks/tasks.css'

const TABS = [
  { key: 'open', title: 'Open' },
  { key: 'completed', title: 'Completed' },
  { key: 'cancelled', title: 'Cancelled' },
] as const

const KINDS = [
  { value: '', label: 'All kinds' },
  ...Object.entries(TASK_KIND).map(([value, { title }]) => ({ value, label: title })),
]
const OWNERS = [
  { value: '', label: 'Anyone' },
  { value: 'none', label: 'No one' },
  { value: 'some', label: 'A person' },
]

/** What waits for a person of the team, in one list, with the chosen task beside it. */
export function TasksPage(): ReactNode {
  const [view, change] = useViewState({ ...NO_TASK_FILTERS, task: '', view: '' })
  const session = useSession()
  const environment = useEnvironment()
  const [name, setName] = useState(session.key.label)
  const { tab: show, kind, owner, user } = view
  const filters = useMemo(() => ({ kind, show, owner, user }), [kind, show, owner, user])
  return (
    <Page
      title="Tasks"
      description="What waits for a person: critical results, reviews, broken connections, stuck orders and rules."
    >
      <SavedViews
        list="tasks"
        allTitle="Open tasks"
        filters={taskFiltersOf(view)}
        viewId={view.view || undefined}
        hasSearch={user !== ''}
        onOpen={(next, id) =>
          change({ ...taskViewOf(next), view: id ?? '', task: '' }, { push: true })
        }
      />
      <Tabs label="Tasks" tabs={TABS} chosen={filters.show} />
      <div className="tasks-filters">
        <NativeSelect
          label="Kind"
          value={filters.kind}
          data={KINDS}
          onChange={({ currentTarget }) => change({ kind: currentTarget.value })}
        />
        <NativeSelect
          label="Owner"
          value={filters.owner}
          data={OWNERS}
          onChange={({ currentTarget }) => change({ owner: currentTarget.value })}
        />
        <TextInput
          label="Your name"
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {user !== '' && (
          <Button variant="subtle" onClick={() => change({ user: '' })}>
            Show tasks of all people
          </Button>
        )}
        <ExportButton
          permissions={['tasks:write']}
          name="tasks"
          request={() =>
            environment.team.GET('/v3/task/export', {
              params: { query: taskQueryOf(filters) },
              parseAs: 'blob',
            }) as never
          }
        />
      </div>
      <TaskList
        key={JSON.stringify(filters)}
        filters={filters}
        name={name}
        chosenId={view.task}
        onChoose={(id) => change({ task: id })}
      />
    </Page>
  )
}

interface TaskListProps {
  filters: Parameters<typeof useTasks>[0]
  name: string
  chosenId: string | undefined
  onChoose: (id: string) => void
}

function TaskList({ filters, name, chosenId, onChoose }: TaskListProps): ReactNode {
  const list = useTasks(filters)
  const tasks = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const chosen = tasks?.find(({ id }) => id === chosenId) ?? tasks?.[0]
  useTaskKeys(tasks ?? [], chosen, name, onChoose)
  const selection = useSelection(useMemo(() => tasks?.map(({ id }) => id) ?? [], [tasks]))
  if (list.error !== null && tasks === undefined) {
    return <Failure error={list.error} onRetry={() => list.refetch()} />
  }
  if (tasks === undefined) return <Waiting label="Loading tasks" lines={6} />
  if (chosen === undefined) {
    return (
      <EmptyState title={filters.show === 'open' ? 'No open tasks.' : 'No tasks here.'}>
        A task appears here when something waits for a person.
      </EmptyState>
    )
  }
  return (
    <div className="tasks">
      <div>
        <ul className="task-list" aria-label="Tasks">
          {tasks.map((task) => (
            <li key={task.id}>
              {filters.show === 'open' && (
                <RowCheck
                  selection={selection}
                  id={task.id}
                  name={`${TASK_KIND[task.kind].title} of ${task.client_user_id ?? 'no person'}`}
                />
              )}
              <TaskRow
                task={task}
                isChosen={task.id === chosen.id}
                onChoose={() => onChoose(task.id)}
              />
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <Button
            variant="subtle"
            loading={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            Show more
          </Button>
        )}
        <BulkTasks tasks={tasks} selection={selection} name={name} onDone={() => list.refetch()} />
        <p className="quiet tasks-keys">
          <kbd>j</kbd> and <kbd>k</kbd> choose, <kbd>a</kbd> acknowledges, <kbd>Enter</kbd> opens.
        </p>
      </div>
      <TaskDetail task={chosen} name={name} />
    </div>
  )
}

interface BulkTasksProps {
  tasks: readonly Task[]
  selection: Selection
  name: string
  onDone: () => unknown
}

function BulkTasks({ tasks, selection, name, onDone }: BulkTasksProps): ReactNode {
  const environment = useEnvironment()
  return (
    <BulkBar
      selection={selection}
      noun={['task', 'tasks']}
      nameOf={(id) => {
        const task = tasks.find((one) => one.id === id)
        if (task === undefined) return 'Task'
        return [TASK_KIND[task.kind].title, task.client_user_id].filter(Boolean).join(', ')
      }}
      actions={taskActions(environment, name.trim())}
      onDone={onDone}
    />
  )
}

const taskActions = (environment: Environment, name: string): BulkAction[] => {
  const by = <strong>{name || 'no one: fill in your name above'}</strong>
  const common = { permission: 'tasks:write', isReady: name !== '' } as const
  return [
    {
      ...common,
      title: 'Assign to me',
      question: <p>Their owner becomes {by}.</p>,
      run: runBatch(environment, 'assignTask', { owner: name }),
    },
    {
      ...common,
      title: 'Acknowledge',
      question: <p>They are acknowledged by {by}, and no longer escalated.</p>,
      run: runBatch(environment, 'acknowledgeTask', { name }),
    },
    {
      ...common,
      title: 'Complete',
      question: (
        <p>
          They are completed by {by}. Tasks that end with their reason, such as a review, stay open.
        </p>
      ),
      run: runBatch(environment, 'completeTask', { name }),
    },
  ]
}

function TaskRow({
  task,
  isChosen,
  onChoose,
}: {
  task: Task
  isChosen: boolean
  onChoose: () => void
}): ReactNode {
  const person = usePersonName(task)
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const { label, tone } = TASK_STATUS[task.status]
  const isOverdue = task.escalate_at !== null && new Date(task.escalate_at) < new Date()
  return (
    <button ref={row} type="button" className="task-row" aria-pressed={isChosen} onClick={onChoose}>
      <span className="task-row-title">{TASK_KIND[task.kind].title}</span>
      <StatusBadge tone={task.escalations > 0 || isOverdue ? 'bad' : tone}>
        {task.escalations > 0 ? 'Escalated' : label}
      </StatusBadge>
      <span>{person ?? 'No person'}</span>
      <span className="quiet">
        <Instant at={task.opened_at} isRelative />
      </span>
      <span className="quiet task-row-owner">{task.owner?.name ?? 'No owner'}</span>
    </button>
  )
}

/** Fields and buttons keep their own keys. */
const OWN_KEYS = 'input, textarea, select, a, button:not(.task-row), dialog'

/** Keys of the list: j and k choose, a acknowledges, Enter opens the page of the reason. */
function useTaskKeys(
  tasks: readonly Task[],
  chosen: Task | undefined,
  name: string,
  onChoose: (id: string) => void,
): void {
  const { teamId: team, env } = useEnvironment()
  const navigate = useNavigate()
  const command = useTaskCommand()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.closest(OWN_KEYS) !== null
      if (chosen === undefined || isElsewhere) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const step = { j: 1, k: -1 }[event.key]
      if (step !== undefined) {
        const next = tasks[tasks.findIndex(({ id }) => id === chosen.id) + step]
        if (next !== undefined) onChoose(next.id)
      } else if (event.key === 'a' && chosen.acknowledged_at === null && name.trim() !== '') {
        command.mutate({ task: chosen, command: { action: 'acknowledge', name: name.trim() } })
      } else if (event.key === 'Enter') {
        event.preventDefault()
        const { title: _, to, ...params } = focusOf(chosen)
        const search = 'result' in params ? { result: params.result } : {}
        navigate({ to, params: { team, env, ...params }, search } as never)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [tasks, chosen, name, onChoose, command, navigate, team, env])
}
