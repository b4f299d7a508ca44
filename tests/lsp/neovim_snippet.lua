-- Runs the snippet in $SNIPPET in a real Neovim, opens the plan named by $PLAN, waits until $WANTED diagnostics are
-- shown, and writes them to $OUT, a line each: line, the text underlined, the message.
vim.cmd("filetype on")
vim.cmd("luafile " .. vim.env.SNIPPET)
vim.cmd("edit " .. vim.env.PLAN)
local wanted = tonumber(vim.env.WANTED)
vim.wait(60000, function() return #vim.diagnostic.get(0) >= wanted end, 20)
local file = assert(io.open(vim.env.OUT, "w"))
for _, item in ipairs(vim.diagnostic.get(0)) do
  local line = vim.api.nvim_buf_get_lines(0, item.lnum, item.lnum + 1, false)[1]
  file:write(item.lnum + 1, "\t", line:sub(item.col + 1, item.end_col), "\t", item.message, "\n")
end
file:close()
vim.cmd("qall!")
