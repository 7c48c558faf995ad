import { createTheme } from '@mantine/core'

/**
 * Differences from Mantine's theme. Colors are variables of theme.css, so that a team's own can
 * replace them.
 */
export const theme = createTheme({
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: ({ variant }) =>
    variant === 'filled'
      ? {
          background: 'var(--page-fill)',
          hover: 'var(--page-fill-hover)',
          color: 'var(--page-on-fill)',
          border: '1px solid var(--page-fill-line)',
        }
      : {
          background: 'transparent',
          hover: 'var(--page-hover)',
          color: 'var(--page-accent)',
          border: `1px solid ${variant === 'outline' ? 'var(--page-control)' : 'transparent'}`,
        },
})
