export const bashGuidance = `Running commands: keep \`bash\` for builds, tests, version control and other programs; \`read\`, \`glob\` and \`grep\` look at files better than \
\`cat\`, \`find\` and shell \`grep\` do. Look at the exit code of every command before you rely on what it did.`;
