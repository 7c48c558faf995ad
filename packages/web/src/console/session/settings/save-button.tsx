import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

/** The submit button of a form of settings. */
export function SaveButton(props: { isChanged: boolean; isSaving: boolean }): ReactNode {
  const { isChanged, isSaving } = props
  return (
    <div className="settings-form-end">
      <Button type="submit" disabled={!isChanged} loading={isSaving}>
        Save settings
      </Button>
    </div>
  )
}
