import { Button, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { usePlaceHold } from './hold-queries.ts'

interface PlaceHoldProps {
  /** Id of the person; the dialog has a field for it if it is not given. */
  userId?: string
  isOpen: boolean
  onClose: () => void
}

/** Places a hold with a reason. */
export function PlaceHold({ userId, isOpen, onClose }: PlaceHoldProps): ReactNode {
  return (
    <Dialog title="Place legal hold" isOpen={isOpen} onClose={onClose}>
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
        Until the hold is released, no data of the person are removed: deletions and erasures are
        refused, a scheduled erasure waits, and retention skips the person.
      </p>
      {userId === undefined && (
        <TextInput
          label="Id of the person"
          description="A deleted person can be held until their erasure starts."
          required
          autoComplete="off"
          value={typedId}
          error={invalid.user_id}
          onChange={({ currentTarget }) => setTypedId(currentTarget.value)}
        />
      )}
      <Textarea
        label="Reason"
        description="For the record, such as the number of a case. Exports of the person do not contain it."
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
          Place hold
        </Button>
      </div>
    </form>
  )
}
