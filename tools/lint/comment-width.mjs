// Limits comments to the width of the code (`printWidth` of .oxfmtrc.json): the formatter does not wrap them.
const maxColumns = 120;

export const commentWidth = {
  create({ sourceCode, report }) {
    return {
      Program() {
        for (const { loc } of sourceCode.getAllComments()) {
          for (let line = loc.start.line; line <= loc.end.line; line += 1) {
            const text = sourceCode.lines[line - 1];
            if (text.length > maxColumns)
              report({
                loc: { start: { line, column: 0 }, end: { line, column: text.length } },
                message: `Longer than ${maxColumns} columns.`,
              });
          }
        }
      },
    };
  },
};
