import { defineConfig } from 'vitest/config'

// `npm run dev` proxies to a venue that runs on its default port.
export default defineConfig({
  base: '/',
  build: { target: 'es2022', assetsDir: 'assets', reportCompressedSize: true, modulePreload: { polyfill: false } },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  test: { include: ['tests/**/*.test.ts'] },
})
