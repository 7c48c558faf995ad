import { Button, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { StepChart, showLocal } from '../../rules/rule-preview.tsx'
import { useEpisode } from '../../rules/rule-queries.ts'
import {
  type TaskCommand,
  useCriticalValues,
  usePersonName,
  useTaskCommand,
} from './task-queries.ts'
import { ENDED_BY_PERSON, isOpen, TASK_KIND, TASK_STATUS, type Task } from './task-words.ts'

interface TaskDetailProps {
  task: Task
  /** Name of the person who works in the list. */
  name: string
}

/** The chosen task: what it is about, who has done what, and what can be done. */
export function TaskDetail({ task, name }: TaskDetailProps): ReactNode {
  const person = usePersonName(task)
  const { title, work } = TASK_KIND[task.kind]
  const { label, tone } = TASK_STATUS[task.status]
  const { teamId: team, env } = useEnvironment()
  return (
    <section className="task-detail" aria-label="Task">
      <header>
        <h2>{title}</h2>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        {task.escalations > 0 && <StatusBadge tone="bad">Escalated</StatusBadge>}
      </header>
      <p>{work}</p>
      <CriticalValues task={task} />
      <RuleValues task={task} />
      <dl className="task-facts">
        {task.user_id !== null && (
          <Fact term="Person">
            <Link to="/$team/$env/people/$user" params={{ team, env, user: task.user_id }}>
              {person}
            </Link>
          </Fact>
        )}
        <Fact term="Opened">
          <Instant at={task.opened_at} />
        </Fact>
        <Fact term="Due">
          <Instant at={task.due_at} otherwise="no time set" />
        </Fact>
        <Fact term="Owner">{task.owner?.name ?? <span className="quiet">no one</span>}</Fact>
        <Fact term="Seen">
          <Done by={task.received_by?.name} at={task.received_at} />
        </Fact>
        <Fact term="Acknowledged">
          <Done by={task.acknowledged_by?.name} at={task.acknowledged_at} />
        </Fact>
        {task.escalations > 0 && (
          <Fact term="Escalated">
            {task.escalations} times, last <Instant at={task.escalated_at} />
          </Fact>
        )}
        {task.ended_at !== null && (
          <Fact term="Ended">
            <Done by={task.ended_by?.name ?? 'its reason'} at={task.ended_at} />
          </Fact>
        )}
        {task.note !== null && <Fact term="Note">{task.note}</Fact>}
      </dl>
      <FocusLink task={task} />
      <Allowed to="tasks:write">
        {isOpen(task) && <Commands key={task.id} task={task} name={name} />}
      </Allowed>
    </section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Done({ by, at }: { by: string | undefined; at: string | null }): ReactNode {
  if (at === null) return <span className="quiet">not yet</span>
  return (
    <>
      {by}, <Instant at={at} isRelative />
    </>
  )
}

function CriticalValues({ task }: { task: Task }): ReactNode {
  const { data } = useCriticalValues(task)
  if (data === undefined || data.results.length === 0) return null
  return (
    <p className="task-values">
      {data.results
        .map(({ name, result, unit }) => [name, result, unit].filter(Boolean).join(' '))
        .join(', ')}
    </p>
  )
}

/** The values behind a task of a rule. */
function RuleValues({ task }: { task: Task }): ReactNode {
  const { data } = useEpisode(task.kind === 'rule' ? task.focus.id : undefined)
  if (data === undefined) return null
  const { rule_name: name, value, threshold, unit, start, steps } = data
  const shown = (number: number | null) => [number, unit].filter((part) => part !== null).join(' ')
  return (
    <div>
      <p className="task-values">
        {name}
        {value !== null && `: ${shown(value)}`}
      </p>
      <p className="quiet">
        Since {showLocal(start)}
        {threshold !== null && `, threshold ${shown(threshold)}`}
      </p>
      <StepChart steps={steps} threshold={threshold} unit={unit} />
    </div>
  )
}

/** Returns the page on which the reason of a task is dealt with, with its parameters. */
export function focusOf({ focus, user_id: user }: Task) {
  switch (focus.type) {
    case 'order':
      return { title: 'Open the order', to: '/$team/$env/orders/$order', order: focus.id } as const
    case 'unmatched_result':
      return { title: 'Review the result', to: '/$team/$env/matching', result: focus.id } as const
    case 'lab_report':
      return { title: 'Review the report', to: '/$team/$env/reports/$job', job: focus.id } as const
    case 'lab_connection':
      return { title: 'Open the connections', to: '/$team/$env/connections' } as const
    default:
      return { title: 'Open the person', to: '/$team/$env/people/$user', user: user ?? '' } as const
  }
}

function FocusLink({ task }: { task: Task }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { title, to, ...params } = focusOf(task)
  const search = 'result' in params ? { result: params.result } : {}
  return (
    <Link to={to} params={{ team, env, ...params } as never} search={search as never}>
      {title}
    </Link>
  )
}

function Commands({ task, name }: TaskDetailProps): ReactNode {
  const [note, setNote] = useState('')
  const command = useTaskCommand()
  const send = (sent: TaskCommand) => command.mutate({ task, command: sent })
  const isNamed = name.trim() !== ''
  const by = { name: name.trim(), note }
  const isMine = task.owner?.name === by.name
  return (
    <div className="task-commands">
      <Textarea
        label="Note"
        description="Optional: what was done."
        maxLength={2000}
        rows={2}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div className="task-buttons">
        {task.acknowledged_at === null && (
          <Button
            disabled={!isNamed}
            loading={command.isPending}
            onClick={() => send({ action: 'acknowledge', ...by })}
          >
            Acknowledge
          </Button>
        )}
        <Button
          variant="default"
          disabled={!isNamed}
          onClick={() => send({ action: 'assign', owner: isMine ? null : by.name })}
        >
          {isMine ? 'Release' : 'Assign to me'}
        </Button>
        {task.received_at === null && (
          <Button
            variant="default"
            disabled={!isNamed}
            onClick={() => send({ action: 'receive', name: by.name })}
          >
            Only seen
          </Button>
        )}
        {ENDED_BY_PERSON.includes(task.kind) && (
          <>
            <Button
              variant="default"
              disabled={!isNamed}
              onClick={() => send({ action: 'complete', ...by })}
            >
              Complete
            </Button>
            <Button
              variant="subtle"
              disabled={!isNamed}
              onClick={() => send({ action: 'cancel', ...by })}
            >
              Cancel task
            </Button>
          </>
        )}
      </div>
      {command.error !== null && <Refusal error={command.error} />}
    </div>
  )
}

/** A refusal names the person who was first. */
function Refusal({ error }: { error: Error }): ReactNode {
  const detail = error instanceof ApiError ? (error.detail as Refused | null) : null
  const name = detail?.acknowledged_by?.name
  if (name === undefined) return <Failure error={error} />
  return <p role="alert">{name} has already acknowledged the task.</p>
}

interface Refused {
  acknowledged_by?: { name: string } | null
}
