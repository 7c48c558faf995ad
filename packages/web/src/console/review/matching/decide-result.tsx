import { Button, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { endOfId } from '../../components/id.tsx'
import { type Decision, useResultDecision } from './matching-queries.ts'
import type { Candidate, HeldResult } from './matching-words.ts'

interface DecisionDialogProps {
  resultId: string
  title: string
  /** Consequences of the decision. */
  children: ReactNode
  confirm: string
  decisionOf: (note: string) => Decision
  isOpen: boolean
  onClose: () => void
}

/** A dialog that explains the consequences of a decision, and takes a note. */
function DecisionDialog({
  resultId,
  title,
  children,
  confirm,
  decisionOf,
  isOpen,
  onClose,
}: DecisionDialogProps): ReactNode {
  const [note, setNote] = useState('')
  const decide = useResultDecision(resultId, onClose)
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Back
          </Button>
          <Button loading={decide.isPending} onClick={() => decide.mutate(decisionOf(note))}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <Textarea
        label="Note"
        description="Optional, for other reviewers."
        maxLength={2000}
        rows={3}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {decide.error !== null && <Failure error={decide.error} />}
    </Dialog>
  )
}

interface AcceptOrderProps {
  result: HeldResult
  orderId: string
  candidate: Candidate
}

/** Accepts the result for an order. */
export function AcceptOrder({ result, orderId, candidate }: AcceptOrderProps): ReactNode {
  const [isAsked, setDecision] = useState(false)
  const canReceive = candidate.status_context?.can_receive_results !== false
  const name = endOfId(orderId)
  return (
    <>
      <Button
        aria-label={`Accept for order ${name}`}
        variant={candidate.confidence_level === 'low' ? 'subtle' : 'filled'}
        onClick={() => setDecision(true)}
      >
        Accept
      </Button>
      <DecisionDialog
        resultId={result.id}
        title={`Accept for order ${name}`}
        confirm="Accept"
        decisionOf={(note) => ({ kind: 'accept', orderId, note })}
        isOpen={isAsked}
        onClose={() => setDecision(false)}
      >
        <p>
          {canReceive
            ? 'The order receives the result and passes through its statuses up to it. Webhooks receive an event for each.'
            : 'This order cannot take the result. A new order with the same tests is created for the person and receives it, unless the report corrects the result of the order.'}
        </p>
      </DecisionDialog>
    </>
  )
}

/** Accepts the result for a person where no order matches. */
export function NewOrderFor({ result }: { result: HeldResult }): ReactNode {
  const [userId, setUserId] = useState('')
  const [isAsked, setDecision] = useState(false)
  const formId = useId()
  return (
    <>
      <form
        id={formId}
        className="matching-new"
        onSubmit={(event) => {
          event.preventDefault()
          setDecision(true)
        }}
      >
        <TextInput
          label="Id of the person, if none of these orders matches"
          description="A new order is created for the result, unless exactly one order of the person matches."
          value={userId}
          autoComplete="off"
          onChange={({ currentTarget }) => setUserId(currentTarget.value.trim())}
        />
        <Button type="submit" variant="subtle" disabled={userId === ''}>
          Accept for this person
        </Button>
      </form>
      <DecisionDialog
        resultId={result.id}
        title="Accept for a person"
        confirm="Accept"
        decisionOf={(note) => ({ kind: 'accept', userId, note })}
        isOpen={isAsked}
        onClose={() => setDecision(false)}
      >
        <p>
          The result goes to the person with the id <code>{userId}</code>.
        </p>
      </DecisionDialog>
    </>
  )
}

/** Rejects a result, or passes it on to the operator. */
export function DecideAgainst({ result }: { result: HeldResult }): ReactNode {
  const [decision, setDecision] = useState<'reject' | 'unsure' | null>(null)
  const close = () => setDecision(null)
  return (
    <div className="matching-actions">
      <Button variant="subtle" onClick={() => setDecision('reject')}>
        Reject result
      </Button>
      <Button variant="subtle" onClick={() => setDecision('unsure')}>
        Pass on
      </Button>
      <DecisionDialog
        resultId={result.id}
        title="Reject the result"
        confirm="Reject result"
        decisionOf={(note) => ({ kind: 'reject', note })}
        isOpen={decision === 'reject'}
        onClose={close}
      >
        <p>The result is not attached to an order. You can undo this decision.</p>
      </DecisionDialog>
      <DecisionDialog
        resultId={result.id}
        title="Pass result to operator"
        confirm="Pass on"
        decisionOf={(note) => ({ kind: 'unsure', note })}
        isOpen={decision === 'unsure'}
        onClose={close}
      >
        <p>The operator of this installation decides, or returns the result to your team.</p>
      </DecisionDialog>
    </div>
  )
}

/** Undoes a decision, or returns a result from the operator to the team. */
export function TakeBack({ result }: { result: HeldResult }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const decide = useResultDecision(result.id)
  const { status, resolution_action: action } = result
  const canUndo = status === 'resolved' && (action === 'accept' || action === 'reject')
  if (!canUndo && status !== 'pending_ops_review') return null
  return (
    <div className="matching-actions">
      <Button
        loading={decide.isPending}
        onClick={() => decide.mutate({ kind: canUndo ? 'undo' : 'hand_over' })}
      >
        {canUndo ? 'Undo decision' : 'Return to team'}
      </Button>
      {canUndo && action === 'accept' && (
        <span className="quiet">
          Removes the result from the order, if no later result followed.
        </span>
      )}
      {decide.isSuccess && !canUndo && (
        <Link to="/$team/$env/matching" params={{ team, env }}>
          Moves the result to the queue of the team.
        </Link>
      )}
      {decide.error !== null && <Failure error={decide.error} />}
    </div>
  )
}
