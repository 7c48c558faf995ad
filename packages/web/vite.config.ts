import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the pages also work below a path; see `base` in the pages.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets/web',
    // Nothing but files: a data address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // The editor of queries is that large, and loaded where one is written.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: { link: 'link.html', console: 'console.html' },
      // Of "use client" in libraries, which means nothing here.
      checks: { moduleLevelDirective: false },
    },
  },
})
