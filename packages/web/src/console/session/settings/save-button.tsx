import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePermission } from '../../api/session.ts'

/** The submit button of a form of settings. */
export function SaveButton(props: { isChanged: boolean; isSaving: boolean }): ReactNode {
  const { isChanged, isSaving } = props
  if (!usePermission('settings:write')) return null
  return (
    <div className="settings-form-end">
      <Button type="submit" disabled={!isChanged} loading={isSaving}>
        Save settings
      </Button>
    </div>
  )
}
