import { Button, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { type Decision, useDecide } from './matching-queries.ts'
import type { Candidate, HeldResult } from './matching-words.ts'

interface DecisionDialogProps {
  resultId: string
  title: string
  /** What happens then. */
  children: ReactNode
  confirm: string
  decisionOf: (note: string) => Decision
  isOpen: boolean
  onClose: () => void
}

/** Says what a decision brings about, takes a note, and makes it. */
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
  const decide = useDecide(resultId, onClose)
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
        description="For other reviewers; not needed."
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

/** Gives the result to an order. */
export function AcceptOrder({ result, orderId, candidate }: AcceptOrderProps): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const canReceive = candidate.status_context?.can_receive_results !== false
  const name = orderId.slice(0, 8)
  return (
    <>
      <Button
        aria-label={`Accept for order ${name}`}
        variant={candidate.confidence_level === 'low' ? 'subtle' : 'filled'}
        onClick={() => setAsked(true)}
      >
        Accept
      </Button>
      <DecisionDialog
        resultId={result.id}
        title={`Accept for order ${name}`}
        confirm="Accept"
        decisionOf={(note) => ({ kind: 'accept', orderId, note })}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
      >
        <p>
          {canReceive
            ? 'The order gets the result, goes through its statuses up to it, and the team is told of each by its webhooks.'
            : 'This order cannot take the result. A new order with the same tests is made for the person and gets it, unless the report corrects the result that the order has.'}
        </p>
      </DecisionDialog>
    </>
  )
}

/** Where no order fits, but a person does. */
export function NewOrderFor({ result }: { result: HeldResult }): ReactNode {
  const [userId, setUserId] = useState('')
  const [isAsked, setAsked] = useState(false)
  const formId = useId()
  return (
    <>
      <form
        id={formId}
        className="matching-new"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
        }}
      >
        <TextInput
          label="None of these: id of the person whose result it is"
          description="A new order is made for the result, unless one order of the person is the only one that it can mean."
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
        onClose={() => setAsked(false)}
      >
        <p>
          The result goes to the person with the id <code>{userId}</code>.
        </p>
      </DecisionDialog>
    </>
  )
}

/** Rejects a result, or leaves it to the operator. */
export function DecideAgainst({ result }: { result: HeldResult }): ReactNode {
  const [asked, setAsked] = useState<'reject' | 'unsure' | null>(null)
  const close = () => setAsked(null)
  return (
    <div className="matching-actions">
      <Button variant="subtle" onClick={() => setAsked('reject')}>
        Reject
      </Button>
      <Button variant="subtle" onClick={() => setAsked('unsure')}>
        Not sure
      </Button>
      <DecisionDialog
        resultId={result.id}
        title="Reject the result"
        confirm="Reject"
        decisionOf={(note) => ({ kind: 'reject', note })}
        isOpen={asked === 'reject'}
        onClose={close}
      >
        <p>The result is attached to no order. You can take that back.</p>
      </DecisionDialog>
      <DecisionDialog
        resultId={result.id}
        title="Pass the result on"
        confirm="Pass it on"
        decisionOf={(note) => ({ kind: 'unsure', note })}
        isOpen={asked === 'unsure'}
        onClose={close}
      >
        <p>Whoever runs this installation decides, or hands it back to you.</p>
      </DecisionDialog>
    </div>
  )
}

/** Undoes a decision, or hands what waits for the operator to the team. */
export function TakeBack({ result }: { result: HeldResult }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const decide = useDecide(result.id)
  const { status, resolution_action: action } = result
  const canUndo = status === 'resolved' && (action === 'accept' || action === 'reject')
  if (!canUndo && status !== 'pending_ops_review') return null
  return (
    <div className="matching-actions">
      <Button
        loading={decide.isPending}
        onClick={() => decide.mutate({ kind: canUndo ? 'undo' : 'hand_over' })}
      >
        {canUndo ? 'Undo the decision' : 'Hand it to the team'}
      </Button>
      {canUndo && action === 'accept' && (
        <span className="quiet">
          Takes the result away from the order again, as long as nothing came after it.
        </span>
      )}
      {decide.isSuccess && !canUndo && (
        <Link to="/$team/$env/matching" params={{ team, env }}>
          To the queue of the team
        </Link>
      )}
      {decide.error !== null && <Failure error={decide.error} />}
    </div>
  )
}
