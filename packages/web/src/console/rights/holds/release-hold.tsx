import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { type LegalHold, useReleaseHold } from './hold-queries.ts'

interface ReleaseHoldProps {
  /** Undefined while the dialog is closed. */
  hold: LegalHold | undefined
  onClose: () => void
}

/** Releases a hold after a confirmation. */
export function ReleaseHold({ hold, onClose }: ReleaseHoldProps): ReactNode {
  const releasing = useReleaseHold()
  const close = (): void => {
    releasing.reset()
    onClose()
  }
  return (
    <Dialog
      title="Release the legal hold?"
      isOpen={hold !== undefined}
      onClose={close}
      actions={
        <>
          <Button variant="subtle" onClick={close}>
            Keep hold
          </Button>
          <Button
            loading={releasing.isPending}
            onClick={() => hold && releasing.mutate(hold.id, { onSuccess: close })}
          >
            Release hold
          </Button>
        </>
      }
    >
      <div className="rights-dialog">
        <p>
          The hold “{hold?.reason}” ends at once. A waiting erasure continues within the hour, and
          retention includes the person again. The hold stays on record, and you can place another.
        </p>
        {releasing.error !== null && <Failure error={releasing.error} />}
      </div>
    </Dialog>
  )
}
