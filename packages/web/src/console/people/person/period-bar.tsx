import { ActionIcon, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatQuantity } from '../../components/format-quantity.ts'
import { IconChevronLeft, IconChevronRight } from '../../components/icons.tsx'
import { formatDate } from './local-time.ts'
import type { Period } from './use-period.ts'

interface PeriodBarProps {
  period: Period
  /** Numbers of days to choose from. */
  sizes: readonly number[]
}

/** Shows the visible days, with buttons for earlier and later ones. */
export function PeriodBar({ period, sizes }: PeriodBarProps): ReactNode {
  const { start, end, days, move, resize, hasLater } = period
  return (
    <div className="period-bar">
      <ActionIcon variant="subtle" size={36} aria-label="Earlier" onClick={() => move(-1)}>
        <IconChevronLeft size={20} aria-hidden />
      </ActionIcon>
      <span className="period-range" role="status">
        {formatDate(start)} – {formatDate(end)}
      </span>
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label="Later"
        disabled={!hasLater}
        onClick={() => move(1)}
      >
        <IconChevronRight size={20} aria-hidden />
      </ActionIcon>
      <NativeSelect
        size="sm"
        aria-label="Number of days"
        value={String(days)}
        onChange={({ currentTarget }) => resize(Number(currentTarget.value))}
        data={[...new Set([...sizes, days])]
          .sort((one, other) => one - other)
          .map((size) => ({ value: String(size), label: formatQuantity(size, 'day') }))}
      />
    </div>
  )
}
