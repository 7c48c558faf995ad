import { Button, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { usePlaceHold } from './hold-queries.ts'

interface PlaceHoldProps {
  /** Asked for when it is not given. */
  userId?: string
  isOpen: boolean
  onClose: () => void
}

/** Asks why, and places a hold. */
export function PlaceHold({ userId, isOpen, onClose }: PlaceHoldProps): ReactNode {
  return (
    <Dialog title="Place a legal hold" isOpen={isOpen} onClose={onClose}>
      <HoldForm userId={userId} onClose={onClose} />
    </Dialog>
  )
}

function HoldForm({
  userId,
  onClose,
}: {
  userId: string | undefined
  onClose: () => void
}): ReactNode {
  const [typedId, setTypedId] = useState('')
  const [reason, setReason] = useState('')
  const placing = usePlaceHold()
  const invalid = invalidFieldsOf(placing.error)
  const id = userId ?? typedId.trim()
  return (
    <form
      className="rights-dialog"
      onSubmit={(event) => {
        event.preventDefault()
        placing.mutate({ user_id: id, reason: reason.trim() }, { onSuccess: onClose })
      }}
    >
      <p>
        Until it is released nothing of the person is removed: a delete and an erasure are refused,
        one that is due waits, and retention leaves them out.
      </p>
      {userId === undefined && (
        <TextInput
          label="Id of the person"
          description="Also of somebody who was deleted, as long as their erasure has not begun."
          required
          autoComplete="off"
          value={typedId}
          error={invalid.user_id}
          onChange={({ currentTarget }) => setTypedId(currentTarget.value)}
        />
      )}
      <Textarea
        label="Reason"
        description="For the record, such as the number of a case. Exports of the person do not show it."
        required
        rows={3}
        maxLength={500}
        value={reason}
        error={invalid.reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {placing.error !== null && <Failure error={placing.error} />}
      <div className="rights-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={placing.isPending}
          disabled={id === '' || reason.trim() === ''}
        >
          Place the hold
        </Button>
      </div>
    </form>
  )
}
