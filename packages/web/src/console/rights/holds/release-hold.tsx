import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { type LegalHold, useReleaseHold } from './hold-queries.ts'

interface ReleaseHoldProps {
  /** Undefined while none is to be released. */
  hold: LegalHold | undefined
  onClose: () => void
}

/** Asks before a hold is released. */
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
            Keep it
          </Button>
          <Button
            loading={releasing.isPending}
            onClick={() => hold && releasing.mutate(hold.id, { onSuccess: close })}
          >
            Release
          </Button>
        </>
      }
    >
      <div className="rights-dialog">
        <p>
          The hold “{hold?.reason}” ends at once. An erasure that waited for it goes on within the
          hour, and retention counts the person again. It stays on the record, and another can be
          placed.
        </p>
        {releasing.error !== null && <Failure error={releasing.error} />}
      </div>
    </Dialog>
  )
}
