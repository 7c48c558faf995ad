import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { labsQuery } from './catalog-queries.ts'

interface LabFilterProps {
  value: string
  onChange: (slug: string) => void
}

/** A select of one laboratory, or all of them. */
export function LabFilter({ value, onChange }: LabFilterProps): ReactNode {
  const { data: labs = [] } = useQuery(labsQuery(useEnvironment()))
  return (
    <NativeSelect
      size="sm"
      aria-label="Laboratory"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: 'All laboratories' },
        ...labs.map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
    />
  )
}
