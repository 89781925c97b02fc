import js from '@eslint/js'
import ts from 'typescript-eslint'
import globals from 'globals'
import { configs as lit } from 'eslint-plugin-lit'

export default ts.config(
  { ignores: ['dist', 'node_modules'] },
  js.configs.recommended,
  { files: ['scripts/**'], languageOptions: { globals: globals.node } },
  {
    files: ['src/**/*.ts', 'tests/**/*.ts'],
    extends: [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked, lit['flat/recommended']],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/unbound-method': 'off', // Lit binds event handlers itself.
    },
  },
)
